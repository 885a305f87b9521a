// The bar above: what is open, undo and redo, project and export, theme, help.

import type { App } from '../app';
import { bytes, fill, h, icon } from '../dom';
import type { LibraryItem, Written } from '../types';

export function topBar(app: App, sheet: () => void): HTMLElement {
  const name = h('span', { class: 'file-name' }, 'Opening…');
  const facts = h('span', { class: 'faint figure' });
  const undo = button('undo', 'Undo (Ctrl+Z)', () => app.undo());
  const redo = button('redo', 'Redo (Ctrl+Shift+Z)', () => app.redo());
  undo.dataset.act = 'undo';
  redo.dataset.act = 'redo';
  const open = h(
    'button',
    { class: 'button quiet file', 'aria-haspopup': 'dialog', 'data-act': 'open', onclick: () => openDialog(app) },
    icon('open', 16),
    name,
  );
  app.scene.on((scene) => {
    if (!scene) return;
    name.textContent = scene.name;
    const joints = scene.joints.filter((j) => j.in_skin).length;
    facts.textContent = `${scene.vertices.toLocaleString('en')} vertices · ${joints} joints`;
  });
  app.standing.each((standing) => {
    undo.disabled = !standing || standing.at === 0;
    redo.disabled = !standing || standing.at + 1 >= standing.history.length;
    if (standing && standing.at > 0) undo.title = `Undo: ${standing.history[standing.at]} (Ctrl+Z)`;
  });
  return h(
    'header',
    { class: 'top' },
    h('span', { class: 'mark', 'aria-label': 'Ligament' }, mark()),
    open,
    facts,
    h('span', { class: 'grow' }),
    undo,
    redo,
    h('span', { class: 'gap' }),
    labelled('save', 'Save project', () => void app.save().then((written) => tell(app, written))),
    exportButton(app),
    h('span', { class: 'gap' }),
    button('sun', 'Dark or light', () => switchTheme(app)),
    button('help', 'Shortcuts (?)', sheet),
  );
}

function mark(): SVGSVGElement {
  const svg = icon('bone', 20);
  svg.classList.add('brand');
  return svg;
}

function button(name: string, title: string, run: () => void): HTMLButtonElement {
  return h('button', { class: 'button quiet icon-only', title, 'aria-label': title, onclick: run }, icon(name, 17));
}

function labelled(name: string, title: string, run: () => void): HTMLButtonElement {
  return h('button', { class: 'button quiet', 'data-act': name, onclick: run }, icon(name, 16), title);
}

function exportButton(app: App): HTMLElement {
  const menu = h('div', { class: 'menu', role: 'menu', hidden: true });
  const main = h(
    'button',
    {
      class: 'button primary',
      'aria-haspopup': 'menu',
      'data-act': 'export',
      onclick: () => {
        menu.hidden = !menu.hidden;
        if (!menu.hidden) menu.querySelector('button')?.focus();
      },
    },
    icon('export', 16),
    'Export',
  );
  const box = h('div', { class: 'menu-box' }, main, menu);
  app.welcome.on((welcome) => {
    fill(
      menu,
      ...(welcome?.formats ?? []).map((format) =>
        h(
          'button',
          {
            role: 'menuitem',
            'data-format': format.ending,
            onclick: () => {
              menu.hidden = true;
              void app.export(format.ending).then((written) => tell(app, written));
            },
          },
          h('span', {}, format.title),
          h('span', { class: 'faint' }, `.${format.ending}`),
        ),
      ),
    );
  });
  document.addEventListener('pointerdown', (event) => {
    if (!box.contains(event.target as Node)) menu.hidden = true;
  });
  box.addEventListener('keydown', (event) => {
    const items = [...menu.querySelectorAll('button')];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'Escape') {
      menu.hidden = true;
      main.focus();
    } else if (event.key === 'ArrowDown' && !menu.hidden) items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp' && !menu.hidden) items[(at + items.length - 1) % items.length]?.focus();
  });
  return box;
}

export function tell(app: App, written: Written | null): void {
  if (!written) return;
  document.documentElement.dataset.written = written.path;
  app.toast({
    text: `Wrote ${written.path} (${bytes(written.bytes)})`,
    kind: 'done',
    ...(written.ticket
      ? {
          action: {
            title: 'Download a copy',
            run: () => {
              const link = h('a', { href: `/download/${written.ticket}`, download: written.name });
              link.click();
            },
          },
        }
      : {}),
  });
}

const THEME = 'ligament-theme';

export function applyTheme(app: App): void {
  const kept = localStorage.getItem(THEME);
  const light = kept ? kept === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
  const style = getComputedStyle(document.documentElement);
  app.viewer.setTheme(style.getPropertyValue('--accent').trim(), style.getPropertyValue('--grid').trim());
}

function switchTheme(app: App): void {
  const light = document.documentElement.dataset.theme === 'light';
  localStorage.setItem(THEME, light ? 'dark' : 'light');
  applyTheme(app);
}

/** Pictures that came, by the ids of what they show. */
const pictures = new Map<string, Promise<ImageBitmap | null>>();
let drawing: Promise<unknown> = Promise.resolve();

function thumbnail(app: App, item: LibraryItem): HTMLElement {
  const canvas = h('canvas', { class: 'thumbnail', width: 160, height: 160 });
  if (item.kind === 'project') return canvas;
  let picture = pictures.get(item.id);
  if (!picture) {
    // One after the other: drawing them is work for the server.
    picture = drawing.then(() => app.thumbnail(item.id));
    drawing = picture;
    pictures.set(item.id, picture);
  }
  void picture.then((bitmap) => {
    if (bitmap) canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  });
  return canvas;
}

/** What can be opened, with search. */
export function openDialog(app: App): void {
  const search = h('input', { type: 'search', placeholder: 'Find', 'aria-label': 'Find', oninput: () => draw() });
  const list = h('div', { class: 'items' });
  const choose = h('input', {
    type: 'file',
    multiple: true,
    class: 'hidden-input',
    onchange: () => {
      dialog.close();
      if (choose.files?.length) void app.drop([...choose.files]);
    },
  });
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-label': 'Open' },
    h('header', {}, h('h2', {}, 'Open a character'), h('button', { class: 'button quiet icon-only', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('close'))),
    h('label', { class: 'search' }, icon('search', 15), search),
    list,
    h(
      'footer',
      {},
      h('p', { class: 'note' }, 'Or drop files anywhere: glTF, VRM, FBX, USD, OBJ, PLY, STL, projects.'),
      h('button', { class: 'button', onclick: () => choose.click() }, 'Choose files…'),
      choose,
    ),
  );
  const draw = () => {
    const wanted = search.value.trim().toLowerCase();
    const fits = (item: LibraryItem) => !wanted || `${item.name} ${item.note}`.toLowerCase().includes(wanted);
    const group = (title: string, kinds: LibraryItem['kind'][]) => {
      const items = app.library.value.filter((i) => kinds.includes(i.kind) && fits(i));
      if (items.length === 0) return null;
      return h(
        'div',
        {},
        h('h3', {}, title),
        ...items.map((item) =>
          h(
            'button',
            {
              class: 'item',
              'data-item': item.name,
              onclick: () => {
                dialog.close();
                void app.openItem(item.id);
              },
            },
            thumbnail(app, item),
            h('span', { class: 'item-name' }, item.name),
            h('span', { class: 'faint' }, item.note),
          ),
        ),
      );
    };
    fill(list, group('Files', ['file', 'dropped', 'project']), group('Samples', ['sample']));
  };
  draw();
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
