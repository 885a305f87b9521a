// Weights, to look at: what colours mean, and what a vertex follows.

import type { App } from '../app';
import { fill, goal, h, segmented, select } from '../dom';
import type { Coloring, Shading } from '../view/skin';
import { copyButton } from './bind';
import { paintPanel } from './paint';
import { solid } from './solid';

export const RAMPS = ['Plasma', 'Rainbow', 'Grey', 'Fire'];

export function weightsPanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'Weights' });
  const head = h('div', { class: 'stack' });
  const vertex = h('div', { class: 'stack' });
  const looks = h('div', { class: 'stack' }, head, vertex, h('hr'), solid(app));
  const paints = paintPanel(app);
  const choice = h('div', {});
  let painting = false;
  const drawChoice = () => {
    fill(
      choice,
      segmented(
        'What to do with weights',
        [
          { value: 'look', title: 'Look', tip: 'Who holds what, and why' },
          { value: 'paint', title: 'Paint', tip: 'Brush, fill, table: a layer over the bind' },
        ],
        painting ? 'paint' : 'look',
        (value) => {
          painting = value === 'paint';
          drawChoice();
        },
      ),
    );
    looks.hidden = painting;
    paints.hidden = !painting;
    app.painting.setActive(painting && app.tab.value === 'weights');
  };
  app.tab.on(drawChoice);
  root.append(choice, looks, paints);
  drawChoice();

  const draw = () => {
    const look = app.look.value;
    const standing = app.standing.value;
    if (!look) return;
    const bound = !!standing?.slots[0];
    const joint = app.viewer.selected.value;
    const name = joint === null ? null : (app.scene.value?.joints[joint]?.name ?? null);
    fill(
      head,
      goal(
        bound ? 'Look at who holds what. Select a joint, or hold S and click the skin.' : 'There are no weights yet. Bind first.',
        `Showing what ${name ?? ''} holds.`,
        bound && look.coloring === 'joint' && name !== null,
      ),
      ramped(look.coloring)
        ? segmented(
            'Ramp',
            RAMPS.map((title, at) => ({ value: String(at), title })),
            String(look.ramp),
            (value) => app.setLook({ ramp: Number(value) }),
          )
        : null,
      ramped(look.coloring) ? legend(look.ramp) : null,
      look.coloring === 'symmetry'
        ? h('p', { class: 'note' }, 'Half the sum of the weights that differ from those of the mirror image; hatched where there is none.')
        : null,
      look.coloring === 'surface'
        ? h('p', { class: 'note' }, 'The buttons over the character choose what colours mean (W).')
        : null,
      look.coloring === 'influences'
        ? select(
            'Red where more than',
            'most',
            Array.from({ length: 8 }, (_, k) => ({ value: String(k + 1), title: `${k + 1} joints` })),
            String(look.most),
            (value) => app.setLook({ most: Number(value) }),
          )
        : null,
    );
  };

  const drawVertex = () => {
    const pinned = app.pinned.value;
    hideWays(app);
    if (!pinned) {
      fill(vertex, h('p', { class: 'note' }, 'Click the skin to keep a vertex here and ask why it follows whom.'));
      return;
    }
    const answer = h('div', { class: 'stack' });
    fill(
      vertex,
      h(
        'div',
        { class: 'card' },
        h('div', { class: 'row' }, h('strong', {}, `Vertex ${pinned.source_vertex}`), h(
          'button',
          { class: 'button quiet', 'data-act': 'why', onclick: () => void why() },
          'Why?',
        )),
        influences(app, pinned.influences),
        answer,
      ),
    );
    const why = async () => {
      const told = await app.why(pinned.vertex);
      if (!told) return;
      const bones = told.bones as {
        joint: string;
        straight: number;
        through_solid: number;
        counts: number;
        path: [number, number, number][];
      }[];
      showWays(app, bones);
      const number = (n: number) => n.toFixed(3);
      fill(
        answer,
        told.carried_by
          ? h('p', { class: 'note' }, `Its part is carried by ${String(told.carried_by)} as one piece.`)
          : h('p', { class: 'note' }, 'Distances to the nearest bones, straight and through the body; the last decides. Lines show the ways, at rest.'),
        h(
          'table',
          { class: 'figures' },
          h('tr', {}, ...['bone of', 'straight', 'inside', 'counts'].map((t) => h('th', {}, t))),
          ...bones.map((b) =>
            h(
              'tr',
              {},
              h('td', {}, b.joint),
              ...[b.straight, b.through_solid, b.counts].map((n) => h('td', { class: 'figure' }, number(n))),
            ),
          ),
        ),
        copyButton(app, 'Copy', String(told.text)),
      );
    };
  };

  app.look.on(draw);
  app.standing.on(draw);
  app.viewer.selected.on(draw);
  app.pinned.each(drawVertex);
  app.tab.on((tab) => {
    if (tab !== 'weights') hideWays(app);
  });
  draw();
  return root;
}

function ramped(coloring: Coloring): boolean {
  return ['joint', 'difference', 'map', 'symmetry'].includes(coloring);
}

/** How the character was drawn before ways were shown. */
let shadingBefore: Shading | null = null;

/** Takes the ways away; the character is drawn and posed as before. */
function hideWays(app: App): void {
  if (shadingBefore === null) return;
  const shading = shadingBefore;
  shadingBefore = null;
  app.viewer.setPaths([]);
  app.player?.seek(app.player.seconds.value);
  app.setLook({ shading });
}

/** The ways to the bones, over the character at rest. */
function showWays(app: App, bones: { joint: string; path: [number, number, number][] }[]): void {
  const joints = app.scene.value?.joints ?? [];
  const shading = app.look.value?.shading ?? 'textured';
  shadingBefore ??= shading;
  if (app.rig) app.player?.hold(app.rig.rest);
  app.setLook({ shading: 'xray' });
  app.viewer.setPaths(
    bones.map((bone) => ({
      points: bone.path,
      color: joints.find((j) => j.name === bone.joint)?.color ?? [1, 1, 1],
    })),
  );
}

export function influences(app: App, list: [number, number][]): HTMLElement {
  const joints = app.scene.value?.joints ?? [];
  if (list.length === 0) return h('p', { class: 'note' }, 'Not bound.');
  const rows = list.map(([joint, weight]) => {
    const bar = h('span', { class: 'bar' });
    bar.style.width = `${(100 * weight).toFixed(1)}%`;
    return h(
      'li',
      {},
      h(
        'button',
        { class: 'plain', title: 'Select this joint', onclick: () => app.select(joint) },
        joints[joint]?.name ?? String(joint),
      ),
      h('span', { class: 'track' }, bar),
      h('span', { class: 'figure' }, weight.toFixed(3)),
    );
  });
  return h('ul', { class: 'influences' }, ...rows);
}

export function colorings(app: App): HTMLElement {
  const look = app.look.value;
  const other = !!app.standing.value?.state.other;
  const choices: { value: Coloring; title: string; tip: string; disabled?: boolean }[] = [
    { value: 'surface', title: 'Surface', tip: 'Materials and textures' },
    { value: 'joint', title: 'Joint', tip: 'What the selected joint holds' },
    { value: 'joints', title: 'All joints', tip: 'Every vertex in the colours of its joints' },
    { value: 'influences', title: 'Count', tip: 'How many joints hold a vertex' },
    { value: 'symmetry', title: 'Symmetry', tip: 'Where left and right are not bound alike' },
  ];
  if (other) choices.push({ value: 'difference', title: 'Difference', tip: 'What differs between the two binds' });
  return segmented('Colour', choices, look?.coloring ?? 'surface', (value) => app.setLook({ coloring: value }));
}

function legend(ramp: number): HTMLElement {
  return h(
    'div',
    { class: 'legend' },
    h('span', { class: 'zero', title: 'nothing' }),
    h('span', { class: `ramp ramp-${ramp}` }),
    h('span', { class: 'figure' }, '0'),
    h('span', { class: 'figure' }, '0+'),
    h('span', { class: 'figure' }, '1'),
  );
}
