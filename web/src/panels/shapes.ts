// Shapes that attract skin for a joint, set by a gizmo while the character is at rest.

import type { App } from '../app';
import { h, icon, segmented } from '../dom';
import type { BindSettings, Shape, ShapeOf } from '../types';
import type { Tool } from '../view/attractors';

type Change = (edit: (settings: BindSettings) => void) => void;

/** The shape that has the gizmo, and what the gizmo does. */
let chosen: number | null = null;
let tool: Tool = 'translate';
let holding = false;

export function shapesOf(settings: BindSettings): ShapeOf[] {
  return settings.options.shapes ?? [];
}

/** Shows the shapes of the settings, if their section is open. */
export function showShapes(app: App, settings: BindSettings, open: boolean): void {
  const { viewer, scene } = app;
  const joints = scene.value?.joints ?? [];
  const shapes = open ? shapesOf(settings) : [];
  if (open && chosen !== null && chosen >= shapes.length) chosen = null;
  const placed = shapes.flatMap((s) => {
    const joint = joints.find((j) => j.name === s.joint);
    return joint ? [{ shape: s.shape, joint: joint.bind.slice(9, 12) as [number, number, number], color: joint.color }] : [];
  });
  const size = viewer.skin ? viewer.skin.box.max.distanceTo(viewer.skin.box.min) : 1;
  viewer.attractors.set(placed, open ? chosen : null, tool, size);
  // Shapes are where the character is bound; what is posed would not lie around them.
  if (placed.length > 0 && !holding && app.rig) {
    holding = true;
    app.player?.hold(app.rig.rest);
  } else if (placed.length === 0 && holding) {
    holding = false;
    app.player?.seek(app.player.seconds.value);
  }
  viewer.draw();
}

export function shapesPanel(app: App, settings: BindSettings, change: Change, redraw: () => void): HTMLElement {
  const list = shapesOf(settings);
  const selected = () => {
    const joint = app.viewer.selected.value;
    return joint === null ? null : (app.scene.value?.joints[joint].name ?? null);
  };
  const size = app.viewer.skin ? app.viewer.skin.box.max.distanceTo(app.viewer.skin.box.min) : 1;
  app.shaped = (at, shape, released) => {
    if (!released) return;
    change((s) => {
      const all = structuredClone(shapesOf(s));
      if (all[at]) all[at].shape = shape;
      s.options.shapes = all;
    });
  };
  const add = (shape: Shape) => {
    const name = selected();
    if (!name) return app.toast({ text: 'Select the joint that skin is to follow first.', kind: 'info' });
    chosen = list.length;
    change((s) => (s.options.shapes = [...shapesOf(s), { joint: name, shape }]));
  };
  const third = Number((0.06 * size).toPrecision(3));
  const zero: [number, number, number] = [0, 0, 0];
  const name = selected();
  return h(
    'div',
    { class: 'stack' },
    h('p', { class: 'note' }, name ? `Skin near a shape follows ${name}, as if a bone were there.` : 'Select a joint; skin near a shape follows it, as if a bone were there.'),
    h(
      'div',
      { class: 'row' },
      h('button', { class: 'button', 'data-shape': 'point', onclick: () => add({ point: { offset: zero } }) }, icon('plus', 13), 'Point'),
      h('button', { class: 'button', 'data-shape': 'ball', onclick: () => add({ ball: { offset: zero, radius: third } }) }, icon('plus', 13), 'Ball'),
      h('button', { class: 'button', 'data-shape': 'box', onclick: () => add({ box: { offset: zero, half_extent: [third, third, third] } }) }, icon('plus', 13), 'Box'),
    ),
    list.length > 0
      ? segmented<Tool>(
          'What the gizmo does',
          [
            { value: 'translate', title: 'Move' },
            { value: 'scale', title: 'Size' },
          ],
          tool,
          (value) => {
            tool = value;
            redraw();
          },
        )
      : null,
    h(
      'ul',
      { class: 'list' },
      ...list.map((of, at) =>
        h(
          'li',
          { class: at === chosen ? 'chosen' : '' },
          h(
            'button',
            {
              class: 'plain',
              'aria-pressed': String(at === chosen),
              onclick: () => {
                chosen = at === chosen ? null : at;
                redraw();
              },
            },
            `${words(of.shape)} of ${of.joint}`,
          ),
          h('span', { class: 'figure faint' }, figure(of.shape)),
          h(
            'button',
            {
              class: 'button icon-only',
              'aria-label': `Remove the ${words(of.shape).toLowerCase()} of ${of.joint}`,
              onclick: () => change((s) => (s.options.shapes = shapesOf(s).filter((_, k) => k !== at))),
            },
            icon('close', 13),
          ),
        ),
      ),
    ),
    chosen !== null && list[chosen] ? numbers(list[chosen], chosen, change) : null,
  );
}

function words(shape: Shape): string {
  return 'point' in shape ? 'Point' : 'ball' in shape ? 'Ball' : 'Box';
}

function figure(shape: Shape): string {
  return 'ball' in shape ? shape.ball.radius.toPrecision(3) : '';
}

/** The chosen shape in numbers, for who has no pointer. */
function numbers(of: ShapeOf, at: number, change: Change): HTMLElement {
  const field = (label: string, value: number, set: (shape: Shape, value: number) => void) => {
    const input = h('input', {
      type: 'number',
      step: 'any',
      value: String(value),
      'aria-label': label,
      onchange: () => {
        if (!Number.isFinite(input.valueAsNumber)) return;
        change((s) => {
          const all = structuredClone(shapesOf(s));
          set(all[at].shape, input.valueAsNumber);
          s.options.shapes = all;
        });
      },
    });
    return h('label', { class: 'field' }, h('span', {}, label), input);
  };
  const { shape } = of;
  const offset = 'point' in shape ? shape.point.offset : 'ball' in shape ? shape.ball.offset : shape.box.offset;
  const moved = (k: number) => (s: Shape, value: number) => {
    const to = 'point' in s ? s.point.offset : 'ball' in s ? s.ball.offset : s.box.offset;
    to[k] = value;
  };
  return h(
    'div',
    { class: 'numbers' },
    ...['X', 'Y', 'Z'].map((axis, k) => field(axis, offset[k], moved(k))),
    'ball' in shape
      ? field('Radius', shape.ball.radius, (s, value) => {
          if ('ball' in s) s.ball.radius = Math.max(0, value);
        })
      : null,
    ...('box' in shape
      ? ['½ X', '½ Y', '½ Z'].map((axis, k) =>
          field(axis, shape.box.half_extent[k], (s, value) => {
            if ('box' in s) s.box.half_extent[k] = Math.max(0, value);
          }),
        )
      : []),
  );
}
