// The joints as a tree with search.

import type { App } from '../app';
import { fill, h, icon } from '../dom';
import type { Scene } from '../types';

export function treePanel(app: App): HTMLElement {
  const search = h('input', {
    type: 'search',
    placeholder: 'Find a joint',
    'aria-label': 'Find a joint',
    spellcheck: false,
    oninput: () => draw(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') {
        const first = list.querySelector<HTMLButtonElement>('button[data-joint]');
        first?.click();
      }
    },
  });
  const list = h('div', { class: 'tree', role: 'tree', 'aria-label': 'Joints' });
  const count = h('span', { class: 'figure faint' });
  const rows = new Map<number, HTMLElement>();

  const draw = () => {
    const scene = app.scene.value;
    rows.clear();
    if (!scene) return fill(list);
    const wanted = search.value.trim().toLowerCase();
    const depth = depths(scene);
    const shown = scene.joints
      .map((joint, at) => ({ joint, at }))
      .filter(({ joint }) => joint.in_skin && (!wanted || joint.name.toLowerCase().includes(wanted)));
    count.textContent = String(scene.joints.filter((j) => j.in_skin).length);
    fill(
      list,
      ...inOrder(scene, shown.map((s) => s.at)).map((at) => {
        const joint = scene.joints[at];
        const dot = h('span', { class: 'joint-dot' });
        dot.style.background = css(joint.color);
        const row = h(
          'button',
          {
            class: 'joint',
            role: 'treeitem',
            'data-joint': String(at),
            'data-name': joint.name,
            title: joint.name,
            onclick: () => app.select(app.viewer.selected.value === at ? null : at),
            ondblclick: () => {
              app.select(at);
              app.viewer.frameJoint(at);
            },
            onpointerenter: () => (app.viewer.hovered.value = at),
            onpointerleave: () => (app.viewer.hovered.value = null),
          },
          dot,
          h('span', { class: 'name' }, joint.name),
        );
        row.style.paddingInlineStart = `${8 + (wanted ? 0 : 6 * Math.min(14, depth[at]))}px`;
        rows.set(at, row);
        return row;
      }),
      shown.length === 0
        ? h('p', { class: 'note' }, wanted ? 'No joint of that name.' : 'There is no skeleton.')
        : null,
    );
    mark();
  };
  const mark = () => {
    const selected = app.viewer.selected.value;
    // One stop for the whole tree; arrows go on from there.
    const stop = selected !== null && rows.has(selected) ? selected : list.querySelector<HTMLElement>('[data-joint]')?.dataset.joint;
    for (const [at, row] of rows) {
      row.setAttribute('aria-selected', String(at === selected));
      row.tabIndex = at === Number(stop) ? 0 : -1;
    }
    const row = selected === null ? undefined : rows.get(selected);
    row?.scrollIntoView({ block: 'nearest' });
  };
  app.scene.on(draw);
  app.viewer.selected.on(mark);
  list.addEventListener('keydown', (event) => {
    const buttons = [...list.querySelectorAll<HTMLButtonElement>('button[data-joint]')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : -1;
    if (at >= 0 && buttons[next]) {
      event.preventDefault();
      buttons[next].focus();
      app.select(Number(buttons[next].dataset.joint));
    }
  });
  return h(
    'aside',
    { class: 'side left', 'aria-label': 'Joints' },
    h('header', {}, h('h2', {}, 'Joints'), count),
    h('label', { class: 'search' }, icon('search', 15), search),
    list,
  );
}

function depths(scene: Scene): number[] {
  const depth: number[] = [];
  const topmost = (at: number) => {
    let parent = scene.joints[at].parent;
    while (parent !== null && !scene.joints[parent].in_skin) parent = scene.joints[parent].parent;
    return parent;
  };
  scene.joints.forEach((_, at) => {
    const parent = topmost(at);
    depth.push(parent === null ? 0 : depth[parent] + 1);
  });
  return depth;
}

/** Children right after their parent. */
function inOrder(scene: Scene, shown: number[]): number[] {
  const children = new Map<number | null, number[]>();
  scene.joints.forEach((joint, at) => {
    children.set(joint.parent, [...(children.get(joint.parent) ?? []), at]);
  });
  const wanted = new Set(shown);
  const order: number[] = [];
  const stack = [...(children.get(null) ?? [])].reverse();
  while (stack.length > 0) {
    const at = stack.pop() as number;
    if (wanted.has(at)) order.push(at);
    stack.push(...[...(children.get(at) ?? [])].reverse());
  }
  return order;
}

/** A linear colour for a style sheet. */
export function css(color: [number, number, number]): string {
  const byte = (c: number) => {
    const s = c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, s)));
  };
  return `rgb(${color.map(byte).join(' ')})`;
}
