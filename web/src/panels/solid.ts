// The solid that distances run through, cut open: what is inside and why, and voxels painted in and out.

import * as THREE from 'three';
import type { App } from '../app';
import { fill, h, segmented, slider } from '../dom';
import type { BindSettings, Painted } from '../types';

type Tool = 'look' | 'in' | 'out';

const KINDS: [string, string][] = [
  ['inside', 'Inside'],
  ['surface', 'Surface'],
  ['winding', 'By winding number'],
  ['bone', 'Bones'],
];

export function solid(app: App): HTMLElement {
  const box = h('details', { class: 'more', 'data-section': 'solid' }, h('summary', {}, 'The solid, cut open'));
  const body = h('div', { class: 'stack' });
  box.append(body);
  let axis = 2;
  let tool: Tool = 'look';
  let radius = 0.03;
  let stroke: Painted[] = [];
  const range = h('input', { type: 'range', min: 0, max: 1, step: 0.005, value: '0.5', name: 'slice', 'aria-label': 'Where to cut' });
  const cut = () => {
    app.viewer.voxels.slice(axis, range.valueAsNumber, stroke);
    app.viewer.draw();
  };
  range.addEventListener('input', cut);
  const size = () => {
    const skin = app.viewer.skin;
    return skin ? skin.box.max.distanceTo(skin.box.min) : 1;
  };

  const paints = () => ['voxel', 'biharmonic'].includes(app.standing.value?.state.bind?.method ?? '');
  /** Where a ray meets the plane of the cut. */
  const onCut = (u: number, v: number): THREE.Vector3 | null => {
    const { origin, direction } = app.viewer.orbit.ray(u, v);
    const normal = new THREE.Vector3().setComponent(axis, 1);
    const along = direction.dot(normal);
    if (Math.abs(along) < 1e-6) return null;
    const t = (app.viewer.voxels.height - origin.getComponent(axis)) / along;
    return t > 0 ? origin.addScaledVector(direction, t) : null;
  };
  const stamp = (u: number, v: number) => {
    const at = onCut(u, v);
    if (!at) return;
    const reach = radius * size();
    const last = stroke.at(-1)?.shape.sphere.centre;
    if (last && at.distanceTo(new THREE.Vector3(...last)) < 0.5 * reach) return;
    const round = (x: number) => Number(x.toPrecision(5));
    const centre = at.toArray().map(round) as [number, number, number];
    stroke.push({ shape: { sphere: { centre, radius: round(reach) } }, inside: tool === 'in' });
    cut();
  };
  const release = () => {
    if (stroke.length === 0) return;
    const settings = structuredClone(app.draft);
    settings.options.paint = [...(settings.options.paint ?? []), ...stroke];
    const label = `Paint ${stroke[0].inside ? 'in' : 'out'}: ${stroke.length} ${stroke.length === 1 ? 'ball' : 'balls'}`;
    app.draft = settings;
    void app.bind(settings, label);
  };
  const choose = (next: Tool) => {
    tool = next;
    app.brushing.value = tool === 'look' ? null : { stamp, release, done: () => choose('look') };
    draw();
  };

  const draw = () => {
    const painted = app.draft.options.paint?.length ?? 0;
    fill(
      body,
      h(
        'ul',
        { class: 'kinds' },
        ...KINDS.map(([kind, title]) => h('li', {}, h('span', { class: `swatch kind-${kind}` }), title)),
      ),
      segmented('Axis', ['X', 'Y', 'Z'].map((a, k) => ({ value: String(k), title: a })), String(axis), (value) => {
        axis = Number(value);
        draw();
        cut();
      }),
      range,
      h('span', { class: 'label' }, 'Put right what is inside'),
      segmented<Tool>(
        'Brush',
        [
          { value: 'look', title: 'Look' },
          { value: 'in', title: 'Paint in', disabled: !paints(), tip: 'Drag over the cut: what is painted is inside' },
          { value: 'out', title: 'Paint out', disabled: !paints(), tip: 'Drag over the cut: what is painted is outside' },
        ],
        tool,
        choose,
      ),
      paints()
        ? slider({
            label: 'Brush radius',
            name: 'voxel-radius',
            min: 0.005,
            max: 0.1,
            step: 0.005,
            value: radius,
            shown: (value) => `${(100 * value).toFixed(1)} %`,
            moved: (value) => (radius = value),
          })
        : h('p', { class: 'note' }, 'Bind by voxel to paint, or to leave views out that see wrongly.'),
      paints() ? views(app) : null,
      painted > 0
        ? h(
            'div',
            { class: 'row' },
            h('span', { class: 'note' }, `${painted} ${painted === 1 ? 'ball' : 'balls'} painted`),
            h(
              'button',
              {
                class: 'button quiet',
                onclick: () => {
                  const settings = structuredClone(app.draft);
                  delete settings.options.paint;
                  app.draft = settings;
                  void app.bind(settings, 'Remove what was painted');
                },
              },
              'Remove',
            ),
          )
        : null,
    );
  };
  draw();

  let shading = app.look.value?.shading ?? 'textured';
  const load = async () => {
    if (await app.voxels()) {
      stroke = [];
      cut();
      return true;
    }
    return false;
  };
  box.addEventListener('toggle', () => {
    if (!box.open) {
      if (tool !== 'look') choose('look');
      app.viewer.voxels.hide();
      app.setLook({ shading });
      app.player?.seek(app.player.seconds.value);
      return;
    }
    shading = app.look.value?.shading ?? 'textured';
    void load().then((came) => {
      if (!came) {
        box.open = false;
        return;
      }
      // The solid is where the character is bound.
      if (app.rig) app.player?.hold(app.rig.rest);
      app.setLook({ shading: 'xray' });
      draw();
    });
  });
  let seen = '';
  app.standing.on((standing) => {
    draw();
    const settings: BindSettings | null | undefined = standing?.state.bind;
    const now = JSON.stringify([standing?.serial, settings?.method, settings?.options, standing?.slots[0]?.pending]);
    if (box.open && now !== seen && !standing?.slots[0]?.pending) void load();
    seen = now;
  });
  app.scene.on(() => (box.open = false));
  app.tab.on((tab) => {
    if (tab !== 'weights') box.open = false;
  });
  return box;
}

const VIEWS = ['+x', '-x', '+y', '-y', '+z', '-z'];

/** Views that vote on the inside. */
export function views(app: App): HTMLElement {
  const excluded = app.draft.options.exclude_views ?? [];
  return h(
    'div',
    { class: 'stack tight' },
    h('span', { class: 'label' }, 'Views that decide'),
    h(
      'div',
      { class: 'chips', role: 'group', 'aria-label': 'Views that decide' },
      ...VIEWS.map((view) => {
        const on = !excluded.includes(view);
        return h(
          'button',
          {
            class: 'chip',
            'aria-pressed': String(on),
            'data-view': view,
            title: on ? `Leave the view along ${view} out` : `Let the view along ${view} decide again`,
            onclick: () => {
              const settings = structuredClone(app.draft);
              settings.options.exclude_views = on ? [...excluded, view] : excluded.filter((v) => v !== view);
              app.draft = settings;
              void app.bind(settings, on ? `Without the view ${view}` : `With the view ${view}`);
            },
          },
          view.replace('-', '−'),
        );
      }),
    ),
  );
}
