// Paint: what hands do to the weights, as one layer over the bind.

import type { App } from '../app';
import { fill, goal, h, icon, segmented, slider, toggle } from '../dom';
import type { Mode, TableRow, Tool } from '../painting';
import { tell } from './top';

/** Rows that a table shows at once. */
const SHOWN = 40;

/** The end of the slider, in diagonals: a fill from there on takes all that is connected. */
const FILL_ALL = 1;

export function paintPanel(app: App): HTMLElement {
  const { painting } = app;
  const head = h('div', { class: 'stack' });
  const layer = h('div', { class: 'stack' });
  const table = h('div', { class: 'stack' });
  const root = h('div', { class: 'stack' }, head, layer, table);

  const drawHead = () => {
    const standing = app.standing.value;
    const bound = !!standing?.slots[0];
    const count = standing?.edited ?? 0;
    const brush = painting.brush.value;
    const joint = app.viewer.selected.value;
    const name = joint === null ? null : (app.scene.value?.joints[joint]?.name ?? null);
    const smooth = brush.tool === 'brush' && brush.mode === 'relax';
    fill(
      head,
      goal(
        bound ? 'Paint where the bind is nearly right. Every stroke is a step.' : 'There are no weights to paint on. Bind first.',
        `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'} changed by hand; they stay when the bind is made anew.`,
        bound && count > 0,
      ),
      segmented<Tool>(
        'Tool',
        [
          { value: 'brush', title: 'Brush', tip: 'Drag over the skin; strokes may start beside it' },
          { value: 'fill', title: 'Fill', tip: 'Click: all that is connected, never across a gap' },
          { value: 'select', title: 'Select', tip: 'Drag over vertices for the table and the tools below; Shift adds' },
        ],
        brush.tool,
        (tool) => painting.change({ tool }),
      ),
      brush.tool === 'select'
        ? null
        : segmented<Mode>(
            'Mode',
            [
              { value: 'add', title: 'Add', tip: 'More of the joint; Ctrl: less' },
              { value: 'replace', title: 'Replace', tip: 'So much of the joint; Ctrl: the rest to one' },
              { value: 'scale', title: 'Scale', tip: 'So many times as much; Ctrl: the other way' },
              { value: 'relax', title: 'Relax', tip: 'Evens out what is around; Shift while painting' },
            ],
            brush.mode,
            (mode) => painting.change({ mode }),
          ),
      brush.tool === 'select' || smooth
        ? null
        : h(
            'p',
            { class: 'joint-line' },
            name === null ? 'Select the joint to paint, or hold S and click the skin.' : h('span', { class: 'faint' }, 'Joint'),
            name === null ? null : h('strong', {}, name),
          ),
      brush.tool !== 'select' && brush.mode === 'replace' ? number('Value', 'paint-replace', brush.replace, 0, 1, (replace) => painting.change({ replace })) : null,
      brush.tool !== 'select' && brush.mode === 'scale' ? number('Factor', 'paint-scale', brush.scale, 0, 4, (scale) => painting.change({ scale })) : null,
      brush.tool === 'select' ? null : number('Strength', 'paint-strength', brush.strength, 0.05, 1, (strength) => painting.change({ strength })),
      brush.tool === 'fill'
        ? slider({
            label: 'Up to, along the skin',
            name: 'paint-fill-reach',
            min: 0.02,
            max: FILL_ALL,
            step: 0.01,
            value: Math.min(brush.fillReach, FILL_ALL),
            shown: (value) => (value >= FILL_ALL ? 'all that is connected' : `${(100 * value).toFixed(0)} %`),
            moved: (value) => painting.change({ fillReach: value >= FILL_ALL ? Infinity : value }),
          })
        : slider({
            label: 'Radius',
            name: 'paint-radius',
            min: Math.log(0.003),
            max: Math.log(0.25),
            step: 0.01,
            value: Math.log(brush.radius),
            shown: (value) => `${(100 * Math.exp(value)).toFixed(1)} %`,
            moved: (value) => painting.change({ radius: Math.exp(value) }),
          }),
      brush.tool === 'fill'
        ? null
        : segmented(
            'Reach',
            [
              { value: 'surface', title: 'Along the surface', tip: 'Does not jump to what is only near' },
              { value: 'screen', title: 'Through the screen', tip: 'All that is under the circle, also behind' },
            ],
            brush.through ? 'screen' : 'surface',
            (value) => painting.change({ through: value === 'screen' }),
          ),
      brush.tool === 'select' ? null : toggle('Mirror: the other side too', 'paint-mirrored', brush.mirrored, (mirrored) => painting.change({ mirrored })),
      h(
        'p',
        { class: 'note keys' },
        h('span', {}, h('kbd', {}, '[ ]'), ' radius'),
        h('span', {}, h('kbd', {}, 'Shift [ ]'), ' strength'),
        h('span', {}, h('kbd', {}, 'B'), ' + drag'),
      ),
    );
  };

  const drawLayer = () => {
    const standing = app.standing.value;
    const hands = standing?.state.hands;
    const count = standing?.edited ?? 0;
    if (!hands || (count === 0 && !hands.paused)) return fill(layer);
    const chosen = painting.chosen.value.length > 0;
    const where = chosen ? 'what is selected' : 'all that was painted';
    const act = (title: string, tip: string, run: () => unknown) => h('button', { class: 'button', title: `${tip}, on ${where}`, onclick: () => void run() }, title);
    fill(
      layer,
      h('hr'),
      h('div', { class: 'row' }, h('h2', {}, 'Layer'), h('span', { class: 'faint' }, chosen ? 'tools: what is selected' : 'tools: all that was painted')),
      slider({
        label: 'Opacity',
        name: 'layer-opacity',
        min: 0,
        max: 1,
        step: 0.01,
        value: hands.opacity,
        moved: (opacity) => void app.tell({ layer: { opacity } }),
        released: (opacity) => void app.tell({ hands: { tool: { opacity }, label: `Layer at ${Math.round(100 * opacity)} %` } }, true),
      }),
      toggle('Hold influences and sum', 'hold', !hands.paused, (on) =>
        void app.tell({ hands: { tool: { pause: !on }, label: on ? 'Hold influences and sum' : 'Let go of influences and sum' } }, true),
      ),
      h(
        'div',
        { class: 'row wrap tools-row' },
        act('Smooth', 'Towards the mean of what is around', () => painting.use('smooth', { rounds: 5 }, 'Smooth by hand')),
        act('Mirror → +X', 'What is on −X, on +X too', () => painting.use('mirror', { to_positive: true }, 'Mirror to +X')),
        act('Mirror → −X', 'What is on +X, on −X too', () => painting.use('mirror', { to_positive: false }, 'Mirror to −X')),
        act('Prune', 'Shares under 2 % go', () => painting.use('prune', { under: 0.02 }, 'Prune by hand')),
        act('Clear', 'The bind shows again', () => painting.use('clear', {}, 'Clear by hand')),
      ),
      h(
        'button',
        { class: 'button quiet', 'data-act': 'keep-hands', onclick: () => void app.keepHands().then((written) => tell(app, written)) },
        icon('save', 15),
        'Write hand_edits.json',
      ),
    );
  };

  const drawTable = () => {
    const rows = painting.table.value;
    if (painting.chosen.value.length === 0) return fill(table);
    fill(
      table,
      h('hr'),
      h(
        'div',
        { class: 'row' },
        h('h2', {}, `${rows.length} selected`),
        h(
          'div',
          { class: 'row' },
          h('button', { class: 'button quiet', 'data-act': 'copy-weights', title: 'The mean of what is selected', onclick: () => { painting.copy(); drawTable(); } }, icon('copy', 14), 'Copy'),
          h('button', { class: 'button quiet', 'data-act': 'paste-weights', disabled: !painting.copied, onclick: () => void painting.paste() }, 'Paste'),
        ),
      ),
      weightTable(app, rows),
    );
  };

  painting.brush.on(drawHeadUnlessSliding);
  function drawHeadUnlessSliding(): void {
    const active = document.activeElement;
    if (active instanceof HTMLInputElement && active.type === 'range' && head.contains(active)) return;
    drawHead();
  }
  painting.chosen.on(() => {
    drawLayer();
    drawTable();
  });
  painting.table.on(drawTable);
  app.standing.on(() => {
    drawHeadUnlessSliding();
    drawLayer();
  });
  app.scene.on(drawHead);
  app.viewer.selected.on(drawHead);
  drawHead();
  drawLayer();
  return root;
}

function number(label: string, name: string, value: number, min: number, max: number, moved: (value: number) => void): HTMLElement {
  return slider({ label, name, min, max, step: 0.01, value, moved });
}

/** Vertices down, joints across; the mean first. A number that is typed is a step. */
function weightTable(app: App, rows: TableRow[]): HTMLElement {
  const { painting } = app;
  const joints = app.scene.value?.joints ?? [];
  const sums = new Map<number, number>();
  for (const row of rows) for (const [joint, weight] of row.influences) sums.set(joint, (sums.get(joint) ?? 0) + weight);
  const selected = app.viewer.selected.value;
  if (selected !== null && !sums.has(selected) && joints[selected]?.in_skin) sums.set(selected, 0);
  const columns = [...sums.entries()].sort((a, b) => b[1] - a[1]).map(([joint]) => joint);
  const cell = (vertices: number[], joint: number, value: number, label: string) => {
    const input = h('input', {
      type: 'text',
      inputMode: 'decimal',
      class: value === 0 ? 'cell none' : 'cell',
      value: value === 0 ? '' : value.toFixed(3),
      'aria-label': `${joints[joint]?.name ?? joint} of ${label}`,
      onfocus: () => input.select(),
      onchange: () => {
        const typed = Number(input.value.trim().replace(',', '.') || '0');
        if (Number.isFinite(typed)) void painting.setShare(vertices, joint, typed);
        else input.value = value.toFixed(3);
      },
    });
    return h('td', {}, input);
  };
  const share = (row: TableRow, joint: number) => row.influences.find(([j]) => j === joint)?.[1] ?? 0;
  return h(
    'div',
    { class: 'weight-table' },
    h(
      'table',
      {},
      h('tr', {}, h('th', {}, 'Vertex'), ...columns.map((joint) => h('th', { title: joints[joint]?.name }, h('button', { class: 'plain', onclick: () => app.select(joint) }, joints[joint]?.name ?? String(joint))))),
      rows.length > 1
        ? h(
            'tr',
            { class: 'all' },
            h('th', {}, 'All'),
            ...columns.map((joint) => cell(rows.map((r) => r.vertex), joint, (sums.get(joint) ?? 0) / rows.length, 'all')),
          )
        : null,
      ...rows.slice(0, SHOWN).map((row) =>
        h(
          'tr',
          { class: row.edited === null ? '' : 'edited' },
          h('th', { title: row.edited === null ? 'As the bind has it' : `Covers ${Math.round(100 * row.edited)} % of the bind` }, String(row.source_vertex)),
          ...columns.map((joint) => cell([row.vertex], joint, share(row, joint), String(row.source_vertex))),
        ),
      ),
    ),
    rows.length > SHOWN ? h('p', { class: 'note' }, `and ${rows.length - SHOWN} more`) : null,
  );
}
