// Regions: falloffs and drivers by part or material.

import type { App } from '../app';
import { h, icon, select, slider } from '../dom';
import type { BindSettings, Region, VertexSet } from '../types';
import { brushRegion } from './brush';

type Live = (edit: (settings: BindSettings) => void, released: boolean, label?: string) => void;

export function regions(app: App, settings: BindSettings, live: Live): HTMLElement {
  const scene = app.scene.value;
  const parts = [...new Set(scene?.parts.filter((p) => p.carried_by === null).map((p) => p.name) ?? [])];
  const materials = [...new Set(scene?.parts.map((p) => p.material).filter(Boolean) ?? [])];
  const list = h('div', { class: 'stack' });
  settings.regions.forEach((region, at) => list.append(card(app, region, at, live)));
  const choices = [
    { value: '', title: 'Add a region…' },
    ...parts.map((p) => ({ value: `part:${p}`, title: `Part ${p}` })),
    ...materials.map((m) => ({ value: `material:${m}`, title: `Material ${m}` })),
    { value: 'brush', title: 'Brush it onto the skin…' },
    { value: 'ball', title: 'Ball around the pinned vertex' },
  ];
  return h(
    'div',
    { class: 'stack' },
    list,
    select('Regions with rules of their own', 'region', choices, '', (value) => {
      if (value === 'brush') {
        brushRegion(app, (source) => {
          live((s) => s.regions.push({ of: { vertices: source }, falloff: 0.5 }), true, `Region: ${source.length} vertices`);
        });
        return;
      }
      const of = chosen(app, value);
      if (!of) return;
      live((s) => s.regions.push({ of, falloff: 0.5 }), true, `Region: ${title(of)}`);
    }),
  );
}

function chosen(app: App, value: string): VertexSet | null {
  if (value === 'ball') {
    const pinned = app.pinned.value;
    if (!pinned || !app.viewer.skin) {
      app.toast({ text: 'Click a vertex first; the ball goes around it.', kind: 'info' });
      return null;
    }
    const size = app.viewer.skin.box.max.distanceTo(app.viewer.skin.box.min);
    return { sphere: { centre: app.viewer.skin.place(pinned.vertex), radius: 0.06 * size } };
  }
  const [kind, ...rest] = value.split(':');
  const name = rest.join(':');
  return kind === 'part' ? { part: name } : kind === 'material' ? { material: name } : null;
}

function title(of: VertexSet): string {
  if ('part' in of) return of.part;
  if ('material' in of) return of.material;
  return 'sphere' in of ? 'ball' : `${of.vertices.length} vertices`;
}

function card(app: App, region: Region, at: number, live: Live): HTMLElement {
  const edit = (change: (region: Region) => void) => (s: BindSettings) => change(s.regions[at]);
  const name = title(region.of);
  const joints = app.scene.value?.joints.filter((j) => j.in_skin).map((j) => j.name) ?? [];
  const follows = typeof region.falloff === 'object' && region.falloff !== null ? region.falloff : null;
  const driver = region.drivers?.[0] ?? '';
  const selected = app.viewer.selected.value;
  const selectedName = selected === null ? null : (app.scene.value?.joints[selected].name ?? null);
  return h(
    'div',
    { class: 'card' },
    h(
      'div',
      { class: 'row' },
      h('strong', {}, name),
      h(
        'button',
        {
          class: 'button icon-only',
          title: 'Remove this region',
          'aria-label': `Remove the region ${name}`,
          onclick: () => live((s) => s.regions.splice(at, 1), true, `Remove region ${name}`),
        },
        icon('close', 14),
      ),
    ),
    driver
      ? null
      : slider({
          label: follows ? 'Falloff at rest' : 'Falloff',
          name: `region-${at}`,
          min: 0,
          max: 1,
          step: 0.01,
          value: follows ? follows.rest : typeof region.falloff === 'number' ? region.falloff : 0.5,
          moved: (value) => live(edit((r) => (r.falloff = follows ? { ...follows, rest: value } : value)), false),
          released: (value) =>
            live(edit((r) => (r.falloff = follows ? { ...follows, rest: value } : value)), true, `Falloff of ${name}`),
        }),
    follows
      ? slider({
          label: `Falloff when ${follows.joint} bends ${follows.angle}°`,
          name: `region-bent-${at}`,
          min: 0,
          max: 1,
          step: 0.01,
          value: follows.bent,
          moved: (value) => live(edit((r) => (r.falloff = { ...follows, bent: value })), false),
          released: (value) => live(edit((r) => (r.falloff = { ...follows, bent: value })), true, `Falloff of ${name}`),
        })
      : null,
    select(
      'Follows',
      `region-driver-${at}`,
      [{ value: '', title: 'All joints' }, ...joints.map((j) => ({ value: j, title: `${j} alone, stiff` }))],
      driver,
      (value) =>
        live(
          edit((r) => {
            r.drivers = value ? [value] : null;
            if (value) r.falloff = null;
          }),
          true,
          value ? `${name} follows ${value}` : `${name} follows all`,
        ),
    ),
    !driver && selectedName && !follows
      ? h(
          'button',
          {
            class: 'button quiet',
            onclick: () =>
              live(
                edit((r) => {
                  const rest = typeof r.falloff === 'number' ? r.falloff : 0.5;
                  r.falloff = { joint: selectedName, rest, bent: 1, angle: 90 };
                }),
                true,
                `Falloff of ${name} follows ${selectedName}`,
              ),
          },
          `Let it follow the angle of ${selectedName}`,
        )
      : null,
  );
}
