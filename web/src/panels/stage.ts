// Over the view: how it is shown, what is under the pointer, and the pointer itself.

import type { App } from '../app';
import { fill, h, icon, segmented } from '../dom';
import type { Shading } from '../view/skin';
import { JointDrag } from './joint_drag';
import { colorings, influences } from './weights';

export function stageTools(app: App): HTMLElement[] {
  const left = h('div', { class: 'tools left' });
  const right = h('div', { class: 'tools right' });
  const draw = () => {
    const look = app.look.value;
    if (!look) return;
    fill(left, colorings(app));
    fill(
      right,
      segmented<Shading>(
        'Shading',
        [
          { value: 'textured', title: 'Material', tip: 'Materials and textures (Z)' },
          { value: 'clay', title: 'Clay', tip: 'One colour, light alone (Z)' },
          { value: 'wire', title: 'Wire', tip: 'Edges over the surface (Z)' },
          { value: 'xray', title: 'X-ray', tip: 'See through the skin (Z)' },
        ],
        look.shading,
        (value) => app.setLook({ shading: value }),
      ),
      pressed('bone', 'Bones (B)', look.bones, () => app.setLook({ bones: !look.bones })),
      pressed('beside', 'The rest pose beside (R)', look.layout === 'rest', () =>
        app.setLook({ layout: look.layout === 'rest' ? 'one' : 'rest' }),
      ),
      pressed('flat', 'Parallel lines of sight (O)', viewerFlat(app), () => {
        app.viewer.orbit.setFlat(!viewerFlat(app));
        app.viewer.draw();
        draw();
      }),
      h(
        'button',
        { class: 'button quiet icon-only', title: 'Frame all (A)', 'aria-label': 'Frame all', onclick: () => app.viewer.frameAll() },
        icon('frame', 17),
      ),
    );
  };
  app.look.each(draw);
  app.standing.on(draw);
  let flat = false;
  app.viewer.rendered.push(() => {
    if (flat !== viewerFlat(app)) {
      flat = viewerFlat(app);
      draw();
    }
  });

  const card = h('div', { class: 'hover-card', 'aria-live': 'off' });
  const drawCard = () => {
    const picked = app.picked.value;
    card.hidden = !picked;
    if (!picked) return;
    const part = picked.part === null ? '' : (app.scene.value?.parts[picked.part]?.name ?? '');
    fill(
      card,
      h('div', { class: 'row' }, h('strong', {}, `Vertex ${picked.source_vertex}`), h('span', { class: 'faint' }, part)),
      influences(app, picked.influences),
      picked.carried ? h('p', { class: 'note' }, 'Carried as one piece.') : null,
    );
  };
  app.picked.each(drawCard);

  const labels = h('div', { class: 'labels' });
  const names: [HTMLElement, HTMLElement] = [h('span', { class: 'label-a' }), h('span', { class: 'label-b' })];
  const line = h('div', { class: 'wipe-line', role: 'separator', 'aria-label': 'Border between the two binds', tabindex: '0' });
  labels.append(...names, line);
  const drawLabels = () => {
    const look = app.look.value;
    const standing = app.standing.value;
    const two = look?.layout !== 'one';
    names[0].hidden = names[1].hidden = !two;
    line.hidden = look?.layout !== 'wipe';
    if (!look || !two) return;
    names[0].textContent = look.layout === 'rest' ? 'Posed' : (standing?.slots[0]?.name ?? 'not bound');
    names[1].textContent = look.layout === 'rest' ? 'At rest' : (standing?.slots[1]?.name ?? '…');
    line.style.left = `${100 * look.wipe}%`;
  };
  app.look.each(drawLabels);
  app.standing.on(drawLabels);
  dragLine(app, line);
  return [left, right, card, labels];
}

function viewerFlat(app: App): boolean {
  return app.viewer.orbit.flat;
}

function pressed(name: string, title: string, on: boolean, run: () => void): HTMLElement {
  return h(
    'button',
    { class: 'button quiet icon-only', title, 'aria-label': title, 'aria-pressed': String(on), onclick: run },
    icon(name, 17),
  );
}

function dragLine(app: App, line: HTMLElement): void {
  const move = (share: number) => app.setLook({ wipe: Math.min(0.98, Math.max(0.02, share)) });
  line.addEventListener('pointerdown', (event) => {
    line.setPointerCapture(event.pointerId);
    event.stopPropagation();
  });
  line.addEventListener('pointermove', (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const rect = app.viewer.root.getBoundingClientRect();
    move((event.clientX - rect.left) / rect.width);
  });
  line.addEventListener('keydown', (event) => {
    const wipe = app.look.value?.wipe ?? 0.5;
    if (event.key === 'ArrowLeft') move(wipe - 0.02);
    if (event.key === 'ArrowRight') move(wipe + 0.02);
  });
}

/** Left orbits, right or shift pans, the wheel zooms; a click selects, S and a click takes the joint under it. */
export function pointers(app: App): void {
  const { viewer } = app;
  let sampling = false;
  addEventListener('keydown', (event) => {
    app.held.add(event.key.toLowerCase());
    if (event.key === 's' && !event.ctrlKey && !event.metaKey) sampling = true;
  });
  addEventListener('keyup', (event) => {
    app.held.delete(event.key.toLowerCase());
    if (event.key === 's') sampling = false;
  });
  addEventListener('blur', () => {
    sampling = false;
    app.held.clear();
  });
  viewer.panes.forEach((pane, number) => {
    let drag: { x: number; y: number; moved: number; pan: boolean } | null = null;
    let stroke = false;
    let moving: JointDrag | null = null;
    let picking = false;
    let next: (() => void) | null = null;
    const at = (event: MouseEvent) => {
      const rect = pane.getBoundingClientRect();
      const x = event.clientX - rect.left;
      const y = event.clientY - rect.top;
      const u = (2 * x) / rect.width - 1;
      const v = 1 - (2 * y) / rect.height;
      return { x, y, u, v, rect };
    };
    const resting = () => number === 1 && viewer.look.layout === 'rest';
    const slotAt = (event: MouseEvent) => {
      if (viewer.look.layout === 'split') return number;
      if (viewer.look.layout !== 'wipe') return 0;
      const { x, rect } = at(event);
      return x / rect.width > viewer.look.wipe ? 1 : 0;
    };
    pane.addEventListener('contextmenu', (event) => event.preventDefault());
    pane.addEventListener('pointerdown', (event) => {
      (document.activeElement as HTMLElement | null)?.blur();
      app.picked.value = null; // what was under the pointer is not where it will be
      const brushing = number === 0 && event.button === 0 && !event.altKey && !sampling ? app.brushing.value : null;
      if (brushing && (brushing.begin ? brushing.begin(event) : !event.shiftKey)) {
        stroke = true;
        pane.setPointerCapture(event.pointerId);
        const { u, v } = at(event);
        brushing.stamp(u, v);
        return;
      }
      if (number === 0 && event.button === 0 && !event.altKey && app.tab.value === 'rig' && app.standing.value?.state.rig) {
        const { x, y, rect } = at(event);
        const joint = viewer.bones?.headAt(viewer.orbit.camera, x, y, rect.width, rect.height) ?? null;
        if (joint !== null) {
          app.select(joint);
          moving = new JointDrag(app, joint);
          pane.setPointerCapture(event.pointerId);
          return;
        }
      }
      if (number === 0 && viewer.gizmoBusy && event.button === 0 && !event.altKey) return;
      drag = { x: event.clientX, y: event.clientY, moved: 0, pan: event.button === 2 || event.shiftKey };
      pane.setPointerCapture(event.pointerId);
    });
    pane.addEventListener('pointermove', (event) => {
      if (stroke) {
        const { u, v } = at(event);
        app.brushing.value?.stamp(u, v);
        return;
      }
      if (moving) {
        const { x, y, u, v, rect } = at(event);
        moving.look(x, y, rect.width, rect.height);
        moving.move(u, v, event.shiftKey, event.ctrlKey || event.metaKey);
        return;
      }
      if (drag) {
        const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
        drag.moved += Math.abs(dx) + Math.abs(dy);
        [drag.x, drag.y] = [event.clientX, event.clientY];
        if (drag.pan) viewer.orbit.pan(dx, dy, pane.clientHeight);
        else viewer.orbit.orbit(dx, dy);
        viewer.draw();
        return;
      }
      hover(event);
    });
    const hover = (event: PointerEvent) => {
      const { x, y, u, v, rect } = at(event);
      if (viewer.look.bones && !sampling && number === 0) {
        viewer.hovered.value = viewer.bones?.at(viewer.orbit.camera, x, y, rect.width, rect.height) ?? null;
      }
      if (app.painting.active.value) viewer.hovered.value = null;
      pane.style.cursor = sampling ? 'crosshair' : viewer.hovered.value !== null ? 'pointer' : '';
      const ask = () => {
        picking = true;
        void app.pick(u, v, slotAt(event), resting()).then((picked) => {
          picking = false;
          app.picked.value = picked;
          const waiting = next;
          next = null;
          waiting?.();
        });
      };
      // One question at a time, and then the latest.
      if (picking) next = ask;
      else ask();
    };
    pane.addEventListener('pointerleave', () => {
      next = null;
      viewer.hovered.value = null;
      app.picked.value = null;
    });
    pane.addEventListener('pointerup', (event) => {
      if (stroke) {
        stroke = false;
        app.brushing.value?.release?.();
        return;
      }
      if (moving) {
        moving.release();
        moving = null;
        return;
      }
      const was = drag;
      drag = null;
      if (!was || was.moved > 4 || event.button !== 0) return;
      const { x, y, u, v, rect } = at(event);
      const joint = viewer.look.bones && !sampling ? viewer.bones?.at(viewer.orbit.camera, x, y, rect.width, rect.height) : null;
      if (joint !== null && joint !== undefined) {
        app.select(joint);
        return;
      }
      const sample = sampling;
      void app.pick(u, v, slotAt(event), resting()).then((picked) => {
        if (sample) {
          const first = picked?.influences[0];
          if (first) app.select(first[0]);
          return;
        }
        app.pinned.value = picked;
        if (!picked) app.select(null);
      });
    });
    pane.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const { u, v } = at(event);
        viewer.orbit.zoom(Math.exp(event.deltaY * 0.0012), u, v);
        viewer.draw();
      },
      { passive: false },
    );
  });
}
