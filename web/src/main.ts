// The studio's page.

import './style.css';
import { App } from './app';
import { fill, h } from './dom';
import { shortcuts } from './keys';
import { bindPanel } from './panels/bind';
import { comparePanel } from './panels/compare';
import { historyPanel } from './panels/history';
import { judgePanel } from './panels/judge';
import { banners, opening, shortcutSheet, toasts } from './panels/notices';
import { posePanel } from './panels/pose';
import { rigPanel } from './panels/rig';
import { RigHandles } from './panels/rig_handles';
import { pointers, stageTools } from './panels/stage';
import { timeline } from './panels/timeline';
import { applyTheme, topBar } from './panels/top';
import { treePanel } from './panels/tree';
import { weightsPanel } from './panels/weights';

const TABS: [string, string, (app: App) => HTMLElement][] = [
  ['rig', 'Rig', rigPanel],
  ['bind', 'Bind', bindPanel],
  ['weights', 'Weights', weightsPanel],
  ['pose', 'Pose', posePanel],
  ['compare', 'Compare', comparePanel],
  ['judge', 'Judge', judgePanel],
  ['history', 'History', historyPanel],
];

function start(root: HTMLElement): void {
  const stage = h('main', { class: 'stage', 'aria-label': 'Character' });
  let app: App;
  try {
    app = new App(stage);
  } catch {
    fill(root, h('p', { class: 'fatal' }, 'The studio draws with WebGL 2, which this browser does not offer. Switch on hardware acceleration or use another browser.'));
    return;
  }
  stage.append(...stageTools(app), opening(app), banners(app), toasts(app));
  const panels = TABS.map(([name, , make]) => {
    const panel = make(app);
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    return panel;
  });
  const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Steps' });
  TABS.forEach(([name, title]) => {
    tabs.append(
      h(
        'button',
        { role: 'tab', 'data-tab': name, 'aria-controls': `panel-${name}`, onclick: () => (app.tab.value = name) },
        title,
      ),
    );
  });
  tabs.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = TABS.findIndex(([name]) => name === app.tab.value);
    app.tab.value = TABS[(at + step + TABS.length) % TABS.length][0];
    tabs.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  });
  app.tab.each((tab) => {
    TABS.forEach(([name], at) => {
      panels[at].hidden = name !== tab;
      tabs.children[at].setAttribute('aria-selected', String(name === tab));
      (tabs.children[at] as HTMLElement).tabIndex = name === tab ? 0 : -1;
    });
    app.viewer.setTurning(tab === 'pose');
  });
  fill(
    root,
    topBar(app, () => shortcutSheet(app)),
    treePanel(app),
    stage,
    h('aside', { class: 'side right', 'aria-label': 'Steps' }, tabs, h('div', { class: 'panels' }, ...panels)),
    timeline(app),
  );
  pointers(app);
  new RigHandles(app);
  shortcuts(app);
  applyTheme(app);
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => applyTheme(app));
  dropping(app);
  // For tests, and for who wants to know how fast it is.
  Object.assign(window, { studio: app });
  void app.link.open();
}

function dropping(app: App): void {
  const over = (on: boolean) => document.documentElement.toggleAttribute('data-dropping', on);
  addEventListener('dragover', (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) over(false);
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    over(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void app.drop(files);
  });
}

const root = document.getElementById('app');
if (root) start(root);
