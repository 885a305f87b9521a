// What the page says by itself: short words, unsaved work, a lost server, progress of opening, shortcuts.

import type { App, Toast } from '../app';
import { fill, h, icon } from '../dom';
import { stageName } from './bind';

export function toasts(app: App): HTMLElement {
  const root = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  app.toast = (toast: Toast) => {
    const close = () => card.remove();
    const card = h(
      'div',
      { class: `toast ${toast.kind}` },
      icon(toast.kind === 'error' ? 'warn' : 'check', 16),
      h('p', {}, toast.text),
      toast.action
        ? h('button', { class: 'button quiet', onclick: toast.action.run }, toast.action.title)
        : null,
      h('button', { class: 'button quiet icon-only', 'aria-label': 'Close', onclick: close }, icon('close', 14)),
    );
    root.append(card);
    while (root.childElementCount > 3) root.firstElementChild?.remove();
    if (toast.kind !== 'error') setTimeout(close, toast.action ? 12000 : 4000);
  };
  return root;
}

export function banners(app: App): HTMLElement {
  const root = h('div', { class: 'banners' });
  const draw = () => {
    const lost = app.lost.value;
    const recovery = app.standing.value?.recovery ?? null;
    fill(
      root,
      lost ? h('div', { class: 'banner error', role: 'alert' }, icon('warn', 16), h('p', {}, lost.message)) : null,
      recovery !== null && !lost
        ? h(
            'div',
            { class: 'banner', role: 'alert' },
            h('p', {}, `Unsaved work on this character was found: ${recovery} ${recovery === 1 ? 'step' : 'steps'}.`),
            h('button', { class: 'button primary', 'data-act': 'recover', onclick: () => void app.recover(true) }, 'Restore'),
            h('button', { class: 'button quiet', 'data-act': 'discard', onclick: () => void app.recover(false) }, 'Discard'),
          )
        : null,
    );
  };
  app.lost.on(draw);
  app.standing.on(draw);
  return root;
}

export function opening(app: App): HTMLElement {
  const root = h('div', { class: 'opening' });
  const draw = () => {
    const job = app.jobs.value.find((j) => j.kind === 'open');
    root.hidden = !job && app.scene.value !== null;
    fill(root, h('p', {}, job ? `${stageName(job.stage)}…` : app.lost.value ? '' : 'Connecting…'));
  };
  app.jobs.on(draw);
  app.scene.on(draw);
  app.lost.on(draw);
  draw();
  return root;
}

const KEYS: [string, [string, string][]][] = [
  [
    'Look',
    [
      ['Left drag', 'Orbit'],
      ['Right drag, Shift+drag', 'Pan'],
      ['Wheel', 'Zoom to the pointer'],
      ['F', 'Frame the selected joint'],
      ['A', 'Frame all'],
      ['1  3  7', 'Front, side, top, without perspective'],
      ['O', 'Perspective, or none'],
      ['Z', 'Next shading'],
      ['B', 'Bones'],
      ['R', 'Rest pose beside'],
    ],
  ],
  [
    'Weights',
    [
      ['Click', 'Select a bone, or keep a vertex'],
      ['S + click', 'Take the joint that holds most'],
      ['W', 'Next colouring'],
      ['D', 'What differs'],
      ['Esc', 'Select nothing'],
    ],
  ],
  [
    'Paint',
    [
      ['[  ]', 'Smaller, larger brush'],
      ['Shift+[  Shift+]', 'Weaker, stronger'],
      ['B + drag', 'Radius and strength'],
      ['Ctrl', 'The other way round'],
      ['Shift', 'Relax'],
      ['Alt+drag', 'Orbit while painting'],
    ],
  ],
  [
    'Motion',
    [
      ['Space', 'Play or pause'],
      [',  .', 'A frame back, a frame on'],
      ['K', 'Keep the pose'],
    ],
  ],
  [
    'Work',
    [
      ['Ctrl+Z', 'Undo'],
      ['Ctrl+Shift+Z', 'Redo'],
      ['Ctrl+B', 'Bind'],
      ['Ctrl+S', 'Save project'],
      ['Ctrl+O', 'Open'],
      ['Ctrl+E', 'Export'],
      ['?', 'This sheet'],
    ],
  ],
];

export function shortcutSheet(app: App): void {
  const dialog = h(
    'dialog',
    { class: 'dialog sheet', 'aria-label': 'Shortcuts' },
    h('header', {}, h('h2', {}, 'Shortcuts'), h('button', { class: 'button quiet icon-only', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('close'))),
    h(
      'div',
      { class: 'columns' },
      ...KEYS.map(([title, keys]) =>
        h(
          'div',
          {},
          h('h3', {}, title),
          h('dl', {}, ...keys.flatMap(([key, does]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, does)])),
        ),
      ),
    ),
    h(
      'footer',
      {},
      h('p', { class: 'note' }, `Ligament ${app.welcome.value?.ligament ?? ''}. ${app.viewer.software ? 'This browser draws without a graphics card, so motion is slow.' : ''}`),
      h(
        'button',
        {
          class: 'button',
          onclick: () =>
            void app.newLink().then((link) => {
              if (link) void navigator.clipboard.writeText(link).then(() => app.toast({ text: 'An address for another tab was copied.', kind: 'done' }));
            }),
        },
        icon('link', 15),
        'Address for another tab',
      ),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
