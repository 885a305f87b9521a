// Shortcuts; the sheet in panels/notices.ts lists them.

import type { App } from './app';
import { openDialog, tell } from './panels/top';
import { keepPose } from './panels/pose';
import { shortcutSheet } from './panels/notices';
import type { Coloring, Shading } from './view/skin';

const SHADINGS: Shading[] = ['textured', 'clay', 'wire', 'xray'];
const COLORINGS: Coloring[] = ['surface', 'joint', 'joints', 'influences', 'symmetry'];
const FRAME = 1 / 30;

function after<T>(list: T[], now: T): T {
  return list[(list.indexOf(now) + 1) % list.length];
}

export function shortcuts(app: App): void {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches('input:not([type=range]):not([type=checkbox]), textarea, select');
    if (document.querySelector('dialog[open]')) return;
    const control = event.ctrlKey || event.metaKey;
    if (control) {
      const acts: Record<string, () => void> = {
        z: () => (event.shiftKey ? app.redo() : app.undo()),
        y: () => app.redo(),
        b: () => void app.bind(app.draft),
        s: () => void app.save().then((written) => tell(app, written)),
        o: () => openDialog(app),
        e: () => document.querySelector<HTMLButtonElement>('[data-act=export]')?.click(),
      };
      const act = acts[event.key.toLowerCase()];
      if (act && !(typing && event.key === 'z')) {
        event.preventDefault();
        act();
      }
      return;
    }
    if (typing || event.altKey) return;
    const { viewer, player } = app;
    const look = viewer.look;
    const acts: Record<string, () => void> = {
      ' ': () => player?.toggle(),
      f: () => {
        const joint = viewer.selected.value;
        if (joint === null) viewer.frameAll();
        else viewer.frameJoint(joint);
      },
      a: () => viewer.frameAll(),
      z: () => app.setLook({ shading: after(SHADINGS, look.shading) }),
      b: () => {
        if (!app.painting.active.value) app.setLook({ bones: !look.bones });
      },
      '[': () => app.painting.step(false, false),
      ']': () => app.painting.step(true, false),
      '{': () => app.painting.step(false, true),
      '}': () => app.painting.step(true, true),
      r: () => app.setLook({ layout: look.layout === 'rest' ? 'one' : 'rest' }),
      w: () => app.setLook({ coloring: after(COLORINGS, look.coloring) }),
      d: () => {
        if (app.standing.value?.state.other) {
          app.setLook({ coloring: look.coloring === 'difference' ? 'surface' : 'difference' });
        }
      },
      k: () => keepPose(app),
      ',': () => player?.seek(player.seconds.value - FRAME),
      '.': () => player?.seek(player.seconds.value + FRAME),
      '1': () => viewer.orbit.look(0, 0),
      '3': () => viewer.orbit.look(Math.PI / 2, 0),
      '7': () => viewer.orbit.look(0, 1.55),
      o: () => viewer.orbit.setFlat(!viewer.orbit.flat),
      '?': () => shortcutSheet(app),
      Escape: () => (app.brushing.value ? app.brushing.value.done(false) : app.select(null)),
    };
    // Space presses a focused button.
    if (event.key === ' ' && target.matches('button, summary')) return;
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) {
      event.preventDefault();
      act();
      viewer.draw();
    }
  });
}
