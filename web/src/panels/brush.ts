// A region brushed onto the skin: strokes collect the vertices under them.

import type { App } from '../app';
import { h, slider } from '../dom';

export function brushRegion(app: App, keep: (source: number[]) => void): void {
  const skin = app.viewer.skin;
  const before = app.look.value;
  if (!skin || !before || app.brushing.value) return;
  const marked = new Float32Array(skin.vertices);
  const source = new Set<number>();
  const size = skin.box.max.distanceTo(skin.box.min);
  let radius = 0.03;
  let busy = false;
  let next: [number, number] | null = null;
  const stamp = (x: number, y: number) => {
    // One stamp at a time, and then the latest.
    if (busy) {
      next = [x, y];
      return;
    }
    busy = true;
    void app.brush(x, y, radius * size).then((found) => {
      busy = false;
      for (const v of found.vertices) marked[v] = 1;
      for (const v of found.source) source.add(v);
      skin.setMap(marked);
      app.viewer.draw();
      if (next) {
        const [nx, ny] = next;
        next = null;
        stamp(nx, ny);
      }
    });
  };
  const done = (kept: boolean) => {
    bar.remove();
    app.brushing.value = null;
    app.setLook({ coloring: before.coloring, bones: before.bones });
    if (kept && source.size > 0) keep([...source].sort((a, b) => a - b));
  };
  const bar = h(
    'div',
    { class: 'brushing' },
    h('span', {}, 'Drag over the skin'),
    slider({
      label: 'Radius',
      name: 'brush-radius',
      min: 0.005,
      max: 0.1,
      step: 0.005,
      value: radius,
      shown: (value) => `${(100 * value).toFixed(1)} %`,
      moved: (value) => (radius = value),
    }),
    h('button', { class: 'button primary', 'data-act': 'keep-region', onclick: () => done(true) }, 'Keep region'),
    h('button', { class: 'button quiet', onclick: () => done(false) }, 'Discard'),
  );
  app.viewer.root.append(bar);
  skin.setMap(marked);
  app.setLook({ coloring: 'map', bones: false });
  app.brushing.value = { stamp, done };
}
