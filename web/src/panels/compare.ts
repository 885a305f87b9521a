// Compare: two binds of one character, posed alike: side by side, wiped, or as what differs.

import type { App } from '../app';
import { fill, goal, h, segmented, select } from '../dom';
import type { BindSettings, Other } from '../types';
import type { Layout } from '../view/viewer';
import { stageName } from './bind';

export function comparePanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'Compare' });
  const draw = () => {
    const standing = app.standing.value;
    const look = app.look.value;
    if (!standing || !look) return fill(root);
    const other = standing.state.other;
    const job = app.jobs.value.find((j) => j.kind === 'bind');
    fill(
      root,
      goal(
        'See two binds at once. Choose what to compare with.',
        `Left: ${standing.slots[0]?.name ?? 'not bound'}. Right: ${standing.slots[1]?.name ?? '…'}.`,
        other !== null && standing.slots[1] !== null,
      ),
      select('Compare with', 'other', choices(app), name(other), (value) => void choose(app, value)),
      job
        ? h('div', { class: 'progress', role: 'status' }, h('span', {}, stageName(job.stage)), h('progress', { value: job.share, max: 1 }))
        : null,
      h(
        'div',
        { class: 'stack' },
        h('span', { class: 'label' }, 'Shown'),
        segmented<Layout>(
          'Shown',
          [
            { value: 'one', title: 'One' },
            { value: 'split', title: 'Side by side', disabled: !other },
            { value: 'wipe', title: 'Wipe', disabled: !other, tip: 'Drag the line across the character' },
          ],
          look.layout === 'rest' ? 'one' : look.layout,
          (value) => app.setLook({ layout: value }),
        ),
        h(
          'button',
          {
            class: 'button',
            disabled: !other,
            'aria-pressed': String(look.coloring === 'difference'),
            'data-act': 'difference',
            onclick: () => app.setLook({ coloring: look.coloring === 'difference' ? 'surface' : 'difference' }),
          },
          look.coloring === 'difference' ? 'Show the surface' : 'Show what differs',
        ),
        other
          ? h(
              'p',
              { class: 'note' },
              'What differs is half the sum of the weights that differ: 0 is the same, 1 is no joint in common.',
            )
          : null,
      ),
      other && isBind(other) && standing.state.bind
        ? h(
            'div',
            { class: 'row' },
            h('button', { class: 'button', onclick: () => void swap(app, other.bind, standing.state.bind) }, 'Swap the two'),
          )
        : null,
    );
  };
  app.standing.on(draw);
  app.look.on(draw);
  app.jobs.on(draw);
  app.library.on(draw);
  draw();
  return root;
}

function isBind(other: Other): other is { bind: BindSettings } {
  return 'bind' in other;
}

function choices(app: App): { value: string; title: string }[] {
  const methods = app.welcome.value?.methods ?? [];
  const files = app.library.value.filter((i) => i.kind === 'file' || i.kind === 'dropped');
  return [
    { value: '', title: 'Nothing' },
    ...(app.scene.value?.has_weights ? [{ value: 'file', title: 'The file’s own weights' }] : []),
    ...methods.map((m) => ({ value: `method:${m.name}`, title: `Bind by ${m.name}` })),
    ...(app.standing.value?.state.bind ? [{ value: 'now', title: 'This bind as it is now' }] : []),
    ...files.map((f) => ({ value: `item:${f.id}`, title: `Weights of ${f.name}` })),
  ];
}

function name(other: Other | null): string {
  if (!other) return '';
  if ('file' in other) return 'file';
  if ('item' in other) return `item:${other.item}`;
  return `method:${other.bind.method}`;
}

async function choose(app: App, value: string): Promise<void> {
  const bind = app.standing.value?.state.bind;
  let other: Other | null = null;
  if (value === 'file') other = { file: {} };
  else if (value === 'now' && bind) other = { bind };
  else if (value.startsWith('item:')) other = { item: value.slice(5) };
  else if (value.startsWith('method:')) {
    const base = bind ?? app.draft;
    other = { bind: { ...structuredClone(base), method: value.slice(7), options: {} } };
  }
  await app.compare(other);
  if (other && app.standing.value?.state.other && app.look.value?.layout === 'one') app.setLook({ layout: 'split' });
}

async function swap(app: App, first: BindSettings, second: BindSettings | null): Promise<void> {
  if (!second) return;
  await app.bind(first, 'Swap: this bind');
  await app.compare({ bind: second });
}
