// Bind: the method and its few options, the slider that moves the skin, timings and warnings.

import { USUAL, type App } from '../app';
import { fill, goal, h, icon, select, slider, toggle } from '../dom';
import type { BindSettings, Warning, WhichJoint } from '../types';
import { regions } from './regions';
import { shapesPanel, showShapes } from './shapes';
import { tell } from './top';

const WORDS: Record<string, string> = {
  best: 'Best: voxel and heat together',
  voxel: 'Voxel: distance through the body',
  heat: 'Heat: spreads over the skin',
  biharmonic: 'Biharmonic: smoothest, slower',
  cells: 'Cells: fitted over poses, slower',
  closest: 'Closest bone',
  hierarchy: 'Nearest joint and its neighbours',
};
const PRESETS: Record<string, string[]> = { voxel: ['2014', '2013'], heat: ['2007', 'blender'], cells: ['paper'] };
/** The section of shapes that attract skin. */
const SHAPES = 'Shapes that attract skin';
/** What voxel binding falls by when nothing is asked for. */
const USUAL_FALLOFF = 0.2;

export function bindPanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'Bind' });
  const form = h('div', { class: 'stack' });
  const more = h('div');
  const action = h('div', { class: 'stack' });
  const results = h('div', { class: 'stack' });
  const goalBox = h('div');
  root.append(goalBox, form, action, more, results);

  const draft = () => app.draft;
  const change = (edit: (settings: BindSettings) => void) => {
    const settings = structuredClone(draft());
    edit(settings);
    app.draft = settings;
  };
  /** A change that the fast half alone can answer: shown at once, a step when it is let go. */
  const live = (edit: (settings: BindSettings) => void, released: boolean, label?: string) => {
    change(edit);
    if (!app.standing.value?.state.bind) return;
    if (released) void app.keep(draft(), label);
    else app.try(draft());
  };

  const build = () => {
    const settings = draft();
    const methods = app.welcome.value?.methods ?? [];
    const method = methods.find((m) => m.name === settings.method);
    const presets = PRESETS[settings.method] ?? [];
    fill(
      form,
      select(
        'Method',
        'method',
        methods.map((m) => ({ value: m.name, title: WORDS[m.name] ?? m.name })),
        settings.method,
        (value) => {
          change((s) => {
            s.method = value;
            const falloff = methods.find((m) => m.name === value)?.falloff ? s.options.falloff : undefined;
            s.options = falloff === undefined ? {} : { falloff };
          });
          draw();
        },
      ),
      presets.length > 0
        ? select(
            'Form',
            'preset',
            [{ value: '', title: 'Ligament’s own' }, ...presets.map((p) => ({ value: p, title: `As published: ${p}` }))],
            settings.options.preset ?? '',
            (value) => {
              change((s) => (value ? (s.options.preset = value) : delete s.options.preset));
              draw();
            },
          )
        : null,
      method?.falloff
        ? slider({
            label: 'Falloff',
            name: 'falloff',
            min: 0,
            max: 1,
            step: 0.01,
            value: settings.options.falloff ?? USUAL_FALLOFF,
            moved: (value) => live((s) => (s.options.falloff = value), false),
            released: (value) => live((s) => (s.options.falloff = value), true, `Falloff ${value.toFixed(2)}`),
          })
        : null,
      slider({
        label: 'Influences',
        name: 'influences',
        min: 1,
        max: 8,
        step: 1,
        value: settings.influences,
        shown: (value) => String(value),
        moved: (value) => live((s) => (s.influences = value), false),
        released: (value) => live((s) => (s.influences = value), true, `Influences ${value}`),
      }),
    );
    seeOpened();
    fill(more, advanced(settings));
    shapesShown();
  };

  const opened = new Set<string>();
  /** Sections that stand open now; the browser says so only a while after the click. */
  const seeOpened = () => {
    for (const details of more.querySelectorAll<HTMLDetailsElement>('details[data-title]')) {
      if (details.open) opened.add(details.dataset.title ?? '');
      else opened.delete(details.dataset.title ?? '');
    }
  };
  const shapesShown = () =>
    showShapes(app, draft(), opened.has(SHAPES) && app.tab.value === 'bind' && draft().method === 'voxel');
  app.tab.on(shapesShown);
  app.viewer.selected.on(() => {
    seeOpened();
    if (opened.has(SHAPES) && app.tab.value === 'bind') build();
  });
  const section = (title: string, ...children: (HTMLElement | null)[]) => {
    // The same section whatever it counts.
    const key = title.split(' (')[0];
    const details = h('details', { class: 'more', 'data-title': key, open: opened.has(key) }, h('summary', {}, title));
    details.addEventListener('toggle', () => {
      seeOpened();
      if (title === SHAPES) shapesShown();
    });
    details.append(h('div', { class: 'stack' }, ...children));
    return details;
  };
  const redraw = (edit: (settings: BindSettings) => void) => {
    change(edit);
    draw();
  };

  const advanced = (settings: BindSettings) => {
    const voxels = settings.method === 'voxel' || settings.method === 'biharmonic';
    return h(
      'div',
      {},
      section(`Regions${settings.regions.length > 0 ? ` (${settings.regions.length})` : ''}`, regions(app, settings, live)),
      section(
        'Joints',
        joints(app, settings, (edit, label) => {
          change(edit);
          if (app.standing.value?.state.bind) void app.keep(draft(), label);
          else draw();
        }),
      ),
      settings.method === 'voxel'
        ? section(
            SHAPES,
            shapesPanel(
              app,
              settings,
              (edit) => {
                change(edit);
                if (app.standing.value?.state.bind) void app.keep(draft(), 'Shapes');
                else draw();
              },
              draw,
            ),
          )
        : null,
      voxels ? section('What is inside', resolution(settings, redraw), solidOptions(app, settings, redraw)) : null,
      section(
        'Finish',
        slider({
          label: 'Drop weights under',
          name: 'prune',
          min: 0,
          max: 0.1,
          step: 0.001,
          value: settings.prune,
          shown: (value) => value.toFixed(3),
          moved: (value) => live((s) => (s.prune = value), false),
          released: (value) => live((s) => (s.prune = value), true, `Prune ${value.toFixed(3)}`),
        }),
        settings.method === 'voxel'
          ? toggle('Smooth along the skin', 'smoothing', settings.options.smoothing !== false, (on) =>
              redraw((s) => (on ? delete s.options.smoothing : (s.options.smoothing = false))),
            )
          : null,
      ),
    );
  };

  const drawAction = () => {
    const standing = app.standing.value;
    const job = app.jobs.value.find((j) => j.kind === 'bind');
    const same = !!standing?.state.bind && canonical(standing.state.bind) === canonical(draft());
    const skeleton = (app.scene.value?.joints.some((j) => j.in_skin) ?? false) || app.scene.value === null;
    const label = standing?.state.bind ? (same ? 'Bound' : 'Bind again') : 'Bind';
    fill(
      action,
      job
        ? h(
            'div',
            { class: 'progress', role: 'status' },
            h('div', { class: 'row' }, h('span', {}, stageName(job.stage)), h('span', { class: 'figure' }, percent(job.share))),
            h('progress', { value: job.share, max: 1 }),
            h('button', { class: 'button', onclick: () => void app.cancel(job.job) }, 'Cancel'),
          )
        : h(
            'button',
            {
              class: 'button primary wide',
              'data-act': 'bind',
              disabled: !skeleton || !app.scene.value || same,
              onclick: () => void app.bind(draft()),
            },
            label,
          ),
      !skeleton
        ? h('p', { class: 'note' }, 'This mesh has no skeleton. Take one with ', h('code', {}, 'ligament rig'), ' first.')
        : null,
      standing?.state.bind && !job
        ? h(
            'div',
            { class: 'row' },
            app.scene.value?.has_weights
              ? h('button', { class: 'button quiet', onclick: () => void app.bind(null) }, 'Use the file’s weights')
              : null,
            h(
              'button',
              {
                class: 'button quiet',
                onclick: () => {
                  app.draft = structuredClone(USUAL);
                  draw();
                },
              },
              'Reset options',
            ),
          )
        : null,
    );
  };

  const drawResults = () => {
    const standing = app.standing.value;
    const slot = standing?.slots[0];
    const bound = !!standing?.state.bind && !!slot;
    fill(
      goalBox,
      goal(
        app.scene.value?.has_weights
          ? 'The file has weights of its own. Bind to see what Ligament gives instead.'
          : 'Give every vertex its joints. Choose a method and bind.',
        bound ? `Bound: at most ${slot?.max_influences} joints a vertex, ${slot?.mean_influences.toFixed(2)} on average.` : '',
        bound,
      ),
    );
    if (!bound || !slot || !standing) {
      fill(results);
      return;
    }
    const total = slot.stages.filter(([name]) => !name.includes('beside')).reduce((sum, [, ms]) => sum + ms, 0);
    const timings = h(
      'details',
      { class: 'more' },
      h('summary', {}, 'Timings', h('span', { class: 'figure' }, milliseconds(total))),
      h(
        'table',
        { class: 'figures' },
        ...slot.stages.map(([name, ms]) => h('tr', {}, h('td', {}, name), h('td', { class: 'figure' }, milliseconds(ms)))),
      ),
    );
    fill(
      results,
      ...slot.warnings.map((warning) => warningCard(app, warning)),
      timings,
      others(app, standing.state.bind?.method ?? ''),
      standing.command
        ? h(
            'details',
            { class: 'more' },
            h('summary', {}, 'The same without the studio'),
            h('pre', { class: 'command', 'data-command': '' }, standing.command),
            h(
              'div',
              { class: 'row' },
              copyButton(app, 'Copy command', standing.command),
              standing.regions ? copyButton(app, 'Copy regions.json', standing.regions) : null,
            ),
          )
        : null,
    );
  };

  const draw = () => {
    build();
    drawAction();
    drawResults();
  };
  app.drafted.on(() => {
    // A slider that is held stays the same element.
    const held = document.activeElement;
    if (!held?.matches('input[type=range]') || !(form.contains(held) || more.contains(held))) build();
    drawAction();
    drawResults();
  });
  app.jobs.on(drawAction);
  app.welcome.on(draw);
  app.scene.on(draw);
  draw();
  return root;
}

/** Settings in one way of writing, so that two can be compared: no empty fields, fields in order. */
export function canonical(value: unknown): string {
  const plain = (v: unknown): unknown => {
    if (Array.isArray(v)) return v.map(plain);
    if (typeof v !== 'object' || v === null) return v;
    const kept = Object.entries(v)
      .filter(([, x]) => x !== null && x !== undefined && !(Array.isArray(x) && x.length === 0))
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([k, x]) => [k, plain(x)]);
    return Object.fromEntries(kept);
  };
  return JSON.stringify(plain(value));
}

function resolution(settings: BindSettings, change: (edit: (settings: BindSettings) => void) => void): HTMLElement {
  const choices = ['auto', '64', '128', '256', '512'];
  return select(
    'Resolution',
    'resolution',
    choices.map((r) => ({ value: r, title: r === 'auto' ? 'Automatic' : `${r} voxels` })),
    String(settings.options.resolution ?? 'auto'),
    (value) =>
      change((s) => {
        if (value === 'auto') delete s.options.resolution;
        else s.options.resolution = Number(value);
      }),
  );
}

/** What is inside, where the mesh does not say: winding numbers; views and paint are beside the solid that is cut open. */
function solidOptions(
  app: App,
  settings: BindSettings,
  change: (edit: (settings: BindSettings) => void) => void,
): HTMLElement {
  return h(
    'div',
    { class: 'stack' },
    toggle('Winding numbers where views disagree', 'winding', settings.options.winding_numbers !== false, (on) =>
      change((s) => (on ? delete s.options.winding_numbers : (s.options.winding_numbers = false))),
    ),
    app.standing.value?.state.bind
      ? h(
          'button',
          {
            class: 'button quiet',
            'data-act': 'cut-open',
            onclick: () => {
              app.tab.value = 'weights';
              const section = document.querySelector<HTMLDetailsElement>('[data-section=solid]');
              if (section) section.open = true;
              section?.scrollIntoView({ block: 'nearest' });
            },
          },
          'See it cut open, paint, leave views out',
        )
      : h('p', { class: 'note' }, 'Once bound, the solid can be cut open and painted in Weights.'),
  );
}

/** Whether the list of joints is open: the panel is drawn anew after every change. */
let listed = false;

function joints(
  app: App,
  settings: BindSettings,
  change: (edit: (settings: BindSettings) => void, label: string) => void,
): HTMLElement {
  const box = h('input', {
    type: 'text',
    name: 'deform',
    value: settings.deform.join(', '),
    placeholder: 'guessed',
    spellcheck: false,
    'aria-label': 'Joints that take part',
    onchange: () => {
      const words = box.value.split(',').map((w) => w.trim()).filter(Boolean);
      change((s) => (s.deform = words), 'Joints that take part');
    },
  });
  const selected = () => app.viewer.selected.value;
  const name = () => {
    const joint = selected();
    return joint === null ? null : (app.scene.value?.joints[joint].name ?? null);
  };
  const lock = h(
    'button',
    {
      class: 'button quiet',
      title: 'The selected joint keeps the weights that the file has',
      onclick: () => {
        const joint = name();
        if (!joint) return app.toast({ text: 'Select a joint first.', kind: 'info' });
        const held = settings.locks.joints.includes(joint);
        change((s) => {
          s.locks.joints = held ? s.locks.joints.filter((j) => j !== joint) : [...s.locks.joints, joint];
        }, held ? `Unlock ${joint}` : `Lock ${joint}`);
      },
    },
    'Lock selected joint',
  );
  const list = h('div', { class: 'which', role: 'group', 'aria-label': 'Which joints take part, and why' });
  const which = h(
    'details',
    {
      class: 'more',
      open: listed,
      ontoggle: () => {
        listed = which.open;
        if (listed) void show();
      },
    },
    h('summary', {}, 'Which joints, and why'),
    list,
  );
  const show = async () => {
    const rows = await app.whichJoints(settings.deform);
    const scene = app.scene.value;
    if (!rows || !scene) return;
    const nameOf = (row: WhichJoint) => scene.joints[row.joint].name;
    const choose = (row: WhichJoint, takesPart: boolean) => {
      row.takes_part = takesPart;
      // As guessed is the default, which needs no names.
      const guessed = rows.every((r) => r.takes_part === r.guessed);
      const words = guessed ? [] : rows.filter((r) => r.takes_part).map(nameOf);
      change((s) => (s.deform = words), `${takesPart ? 'Take' : 'Leave out'} ${nameOf(row)}`);
    };
    fill(
      list,
      ...[...rows]
        .sort((a, b) => Number(a.takes_part) - Number(b.takes_part))
        .map((row) => {
          const tick = h('input', {
            type: 'checkbox',
            checked: row.takes_part,
            'data-which': nameOf(row),
            onchange: () => choose(row, tick.checked),
          });
          return h(
            'label',
            { class: 'which-joint', title: row.reason },
            tick,
            h('span', { class: 'name' }, nameOf(row)),
            h('span', { class: 'note' }, row.takes_part === row.guessed ? row.reason : 'by hand'),
          );
        }),
    );
  };
  if (listed) void show();
  return h(
    'div',
    { class: 'stack' },
    h('label', { class: 'field' }, h('span', {}, 'Joints that take part'), box),
    which,
    h('p', { class: 'note' }, 'Names or patterns such as ', h('code', {}, '*arm*'), '; ', h('code', {}, '!'), ' in front takes out; ', h('code', {}, 'all'), ' keeps all.'),
    app.scene.value?.has_weights
      ? h('div', { class: 'row' }, lock, h('span', { class: 'note' }, settings.locks.joints.join(', ')))
      : null,
  );
}

/** Other meshes in the same volume: levels of detail, injured versions. */
function others(app: App, method: string): HTMLElement | null {
  const files = app.library.value.filter((i) => i.kind === 'file' || i.kind === 'dropped');
  if (files.length < 2) return null;
  const choices = [{ value: '', title: 'Choose a file…' }, ...files.map((f) => ({ value: f.id, title: f.name }))];
  return h(
    'details',
    { class: 'more' },
    h('summary', {}, 'Another mesh in this volume'),
    h(
      'div',
      { class: 'stack' },
      h('p', { class: 'note' }, 'A level of detail or an injured version gets weights by the same distances, and is written as glTF.'),
      method === 'voxel'
        ? select('Bind and write', 'bind-other', choices, '', (item) => {
            if (item) void app.bindOther(item, 'glb').then((written) => tell(app, written));
          })
        : h('p', { class: 'note' }, 'Bind by voxel first.'),
    ),
  );
}

export function warningCard(app: App, warning: Warning): HTMLElement {
  const scene = app.scene.value;
  const joint = scene?.joints.findIndex((j) => warning.joints.includes(j.name)) ?? -1;
  const part = scene?.parts.findIndex((p) => p.name === warning.part) ?? -1;
  const goes = joint >= 0 || part >= 0;
  return h(
    'div',
    { class: 'card warning' },
    icon('warn', 15),
    h('p', {}, warning.message.charAt(0).toUpperCase() + warning.message.slice(1)),
    goes
      ? h(
          'button',
          {
            class: 'button quiet',
            onclick: () => {
              if (joint >= 0) {
                app.select(joint);
                app.viewer.frameJoint(joint);
              } else app.framePart(part);
            },
          },
          'Go there',
        )
      : null,
  );
}

export function copyButton(app: App, title: string, text: string): HTMLElement {
  return h(
    'button',
    {
      class: 'button quiet',
      onclick: () => {
        void navigator.clipboard.writeText(text).then(
          () => app.toast({ text: 'Copied.', kind: 'done' }),
          () => app.toast({ text: 'The browser does not let this page copy; select the text instead.', kind: 'error' }),
        );
      },
    },
    icon('copy', 14),
    title,
  );
}

export function milliseconds(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function stageName(stage: string): string {
  return stage.charAt(0).toUpperCase() + stage.slice(1);
}
