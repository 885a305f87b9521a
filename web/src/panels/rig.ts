// Rig: joints moved into the body with the weights following, handles on bones, joints that come and go.

import type { App } from '../app';
import { fill, goal, h, icon, segmented, select, slider, toggle } from '../dom';
import { Signal } from '../signal';
import type { EditCommand, Extraction, Scene } from '../types';
import { copyButton } from './bind';
import { addJoints } from './joint_add';

/** How the next skeleton is found in the mesh. */
const how = new Signal<Extraction>({ detail: 0.5, template: 'found', names: 'vrm' });

/** A skeleton that is found in the mesh; the one that is there is not looked at. Once one was found, every choice finds it anew. */
function extraction(app: App, skeleton: boolean): HTMLElement {
  const busy = app.jobs.value.some((j) => j.kind === 'open');
  const found = /_rigged(\.|$)/.test(app.scene.value?.name ?? '');
  const choose = (by: Partial<Extraction>) => {
    how.value = { ...how.value, ...by };
    if (found) void app.extract(how.value);
  };
  return h(
    'div',
    { class: 'card' },
    select(
      'Skeleton',
      'extract-template',
      [
        { value: 'found', title: 'As it is found' },
        { value: 'humanoid', title: 'Humanoid, as engines know it' },
        { value: 'quadruped', title: 'Quadruped' },
        { value: 'bird', title: 'Bird' },
      ],
      how.value.template,
      (template) => choose({ template: template as Extraction['template'] }),
    ),
    how.value.template === 'found'
      ? null
      : select(
          'Names',
          'extract-names',
          [
            { value: 'vrm', title: 'VRM' },
            { value: 'mixamo', title: 'Mixamo' },
            { value: 'unreal', title: 'Unreal' },
            { value: 'unity', title: 'Unity' },
            { value: 'rigify', title: 'Rigify' },
          ],
          how.value.names,
          (names) => choose({ names: names as Extraction['names'] }),
        ),
    slider({
      label: 'Detail: limbs alone to fingers',
      name: 'extract-detail',
      min: 0,
      max: 1,
      step: 0.05,
      value: how.value.detail,
      moved: () => undefined,
      released: (detail) => choose({ detail }),
    }),
    h(
      'button',
      { class: skeleton ? 'button wide' : 'button primary wide', 'data-act': 'extract', disabled: !app.scene.value || busy, onclick: () => void app.extract(how.value) },
      skeleton ? 'Find another skeleton in the mesh' : 'Find a skeleton in the mesh',
    ),
  );
}

/** How far a joint bends, as the range of motion has it: a part of the way from −180° to 180°. */
function limits(moves: Scene['joints'][number]['moves']): HTMLElement | null {
  if (moves.length === 0) return null;
  return h(
    'ul',
    { class: 'limits', 'aria-label': 'How far it bends' },
    ...moves.map(({ axis, from, to }) => {
      const bar = h('span', { class: 'bar' });
      bar.style.marginInlineStart = `${(from + 180) / 3.6}%`;
      bar.style.width = `${(to - from) / 3.6}%`;
      return h('li', {}, h('span', {}, axis), h('span', { class: 'track' }, bar), h('span', { class: 'figure' }, `${from}° to ${to}°`));
    }),
  );
}

/** Joints that have no image on the other side. */
function unpaired(app: App): HTMLElement | null {
  const joints = app.scene.value?.joints ?? [];
  const partners = app.viewer.skin?.partners;
  if (!partners) return null;
  const alone = joints.flatMap((joint, at) => (joint.in_skin && partners[at] === null ? [at] : []));
  if (alone.length === 0) return h('p', { class: 'note' }, 'Every joint has a partner, or lies in the middle.');
  return h(
    'details',
    { class: 'more', open: alone.length < 6 },
    h('summary', {}, 'Without a partner', h('span', { class: 'figure' }, String(alone.length))),
    h('ul', { class: 'list' }, ...alone.map((at) => h('li', {}, h('button', { class: 'plain', onclick: () => app.select(at) }, joints[at].name)))),
  );
}

/** A joint with those above and below it that make a chain of three or more: up and down to where it forks. */
function chainAround(app: App, at: number): number[] {
  const joints = app.scene.value?.joints ?? [];
  const children = (joint: number) => joints.flatMap((j, c) => (j.parent === joint && j.in_skin ? [c] : []));
  const above = joints[at].parent;
  const below = children(at);
  const chain = above !== null && joints[above].in_skin ? [above, at] : [at];
  if (below.length === 1) chain.push(below[0]);
  const last = chain[chain.length - 1];
  if (chain.length < 3 && below.length === 1 && children(last).length === 1) chain.push(children(last)[0]);
  return chain;
}

export function rigPanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'Rig' });
  const head = h('div', { class: 'stack' });
  const joint = h('div', { class: 'stack' });
  const tail = h('div', { class: 'stack' });
  root.append(head, joint, tail);

  const drawHead = () => {
    const { scene, standing } = { scene: app.scene.value, standing: app.standing.value };
    const rig = standing?.state.rig ?? null;
    const skeleton = scene?.joints.some((j) => j.in_skin) ?? false;
    const count = rig?.script.length ?? 0;
    const job = app.jobs.value.find((j) => j.kind === 'bind');
    fill(
      head,
      goal(
        rig
          ? 'Drag a joint over the character: it goes into the middle of the limb, and the weights follow.'
          : 'Put joints where they belong, with the weights following.',
        `${count} ${count === 1 ? 'edit' : 'edits'} of the rig; weights followed every one.`,
        count > 0,
      ),
      rig
        ? null
        : h(
            'div',
            { class: 'stack' },
            h(
              'button',
              {
                class: 'button primary wide',
                'data-act': 'take-rig',
                disabled: !skeleton || !!job,
                onclick: () => void app.setRig({ session: { method: 'heat' }, script: [] }, 'Take the rig into hands'),
              },
              'Take the rig into hands',
            ),
            extraction(app, skeleton),
            h('p', { class: 'note' }, 'Weights are found by heat, or by voxels, and follow every edit. Undo takes all of it back.'),
          ),
      job ? h('div', { class: 'progress', role: 'status' }, h('span', {}, job.stage), h('progress', { value: job.share, max: 1 })) : null,
      rig
        ? segmented(
            'How weights follow',
            [
              { value: 'heat', title: 'Heat', tip: 'Along the skin, solved again where an edit changes it' },
              { value: 'voxel', title: 'Voxel', tip: 'Through the body' },
            ],
            rig.session.method,
            (method) => void app.setRig({ session: { ...rig.session, method }, script: rig.script }, `Weights follow by ${method}`),
          )
        : null,
      rig
        ? toggle('Mirror: the other side follows', 'mirrored', app.mirrorEdits, (on) => {
            app.mirrorEdits = on;
            const known = app.viewer.skin?.mirrored ? Promise.resolve() : app.mirror();
            void known.then(draw);
          })
        : null,
      rig && app.mirrorEdits ? unpaired(app) : null,
    );
  };

  const drawJoint = () => {
    const { scene, standing } = { scene: app.scene.value, standing: app.standing.value };
    const rig = standing?.state.rig;
    const at = app.viewer.selected.value;
    if (!rig || !scene) return fill(joint);
    if (at === null || !scene.joints[at]) return fill(joint, h('p', { class: 'note' }, 'Select a joint to name it, to add or remove joints, and for its handles.'));
    const name = scene.joints[at].name;
    const value = (command: string, usual: number) => {
      const last = rig.script.findLast((c) => c.command === command && c.joint === name);
      return typeof last?.value === 'number' ? last.value : usual;
    };
    const handle = (command: 'magnitude' | 'smoothness', label: string, min: number, max: number, usual: number) =>
      slider({
        label,
        name: `rig-${command}`,
        min,
        max,
        step: 0.01,
        value: value(command, usual),
        moved: (now) => app.drag(app.bothSides([{ command, joint: name, value: now }])),
        released: (now) => void app.edit(app.bothSides([{ command, joint: name, value: now }]), `${label} of ${name}`),
      });
    const act = (title: string, commands: EditCommand[], label: string, tip: string) =>
      h('button', { class: 'button', title: tip, onclick: () => void app.edit(commands, label) }, title);
    const rename = h('input', {
      type: 'text',
      name: 'joint-name',
      value: name,
      spellcheck: false,
      'aria-label': 'Name of the joint',
      onchange: () => {
        const next = rename.value.trim();
        if (next && next !== name) void app.edit([{ command: 'rename_joint', joint: name, name: next }], `Rename ${name} to ${next}`);
      },
    });
    const align = () => {
      const chain = chainAround(app, at);
      const names = chain.map((j) => scene.joints[j].name);
      const images = chain.map((j) => app.partnerOf(j));
      const other = app.mirrorEdits && images.every((j, k) => j !== null && j !== chain[k]);
      const commands: EditCommand[] = [{ command: 'align_joints', joints: names }];
      if (other) commands.push({ command: 'align_joints', joints: images.map((j) => scene.joints[j ?? 0].name) });
      return h(
        'button',
        {
          class: 'button',
          disabled: chain.length < 3,
          title: chain.length < 3 ? 'It takes a joint above and one below' : `Puts ${names.join(', ')} into one plane`,
          onclick: () => void app.edit(commands, `Align ${name}`),
        },
        'Align',
      );
    };
    const partner = app.partnerOf(at);
    fill(
      joint,
      h('hr'),
      h('label', { class: 'field' }, h('span', {}, 'Name'), rename),
      app.mirrorEdits
        ? h('p', { class: 'note' }, partner === null ? 'It has no partner on the other side.' : partner === at ? 'It lies in the middle.' : `Its partner is ${scene.joints[partner].name}.`)
        : null,
      handle('magnitude', 'Magnitude', 0.1, 5, 1),
      rig.session.method === 'heat' ? handle('smoothness', 'Smoothness', 0, 1, 0) : null,
      limits(scene.joints[at].moves),
      h(
        'div',
        { class: 'row wrap' },
        act('Insert above', app.bothSides([{ command: 'insert_joint', joint: name }]), `Insert a joint above ${name}`, 'A new joint between this one and its parent'),
        h(
          'button',
          { class: 'button', 'data-act': 'add-joints', title: 'New joints below this one: a limb that is missing, click by click', onclick: () => addJoints(app, at) },
          'Add limb',
        ),
        act('Delete', app.bothSides([{ command: 'delete_joint', joint: name }]), `Delete ${name}`, 'Its children and its skin go to its parent'),
        act('Orient', app.bothSides([{ command: 'orient', joint: name }]), `Orient ${name}`, 'Y to its child'),
        align(),
        act('Make root', [{ command: 'set_root', joint: name }], `Make ${name} the root`, 'The tree hangs on it'),
        act('Takes no part', app.bothSides([{ command: 'takes_part', joint: name, value: false }]), `${name} takes no part`, 'It holds no weight'),
      ),
    );
  };

  const drawTail = () => {
    const standing = app.standing.value;
    fill(
      tail,
      standing?.state.rig && standing.command && standing.edits
        ? h(
            'details',
            { class: 'more' },
            h('summary', {}, 'The same without the studio'),
            h('pre', { class: 'command' }, standing.command),
            h('div', { class: 'row' }, copyButton(app, 'Copy command', standing.command), copyButton(app, 'Copy edits.json', standing.edits)),
          )
        : null,
      standing?.state.rig
        ? h('p', { class: 'note' }, 'Drag snaps to the middle of the first limb; Shift to that of the whole body. Ctrl keeps the depth, as views without perspective do (1, 3, 7).')
        : null,
      standing?.state.rig
        ? h(
            'button',
            { class: 'button quiet', onclick: () => void app.setRig(null, 'Let go of the rig') },
            icon('reset', 14),
            'Back to the file’s rig',
          )
        : null,
    );
  };
  const draw = () => {
    drawHead();
    if (!joint.contains(document.activeElement) || !document.activeElement?.matches('input[type=range]')) drawJoint();
    drawTail();
  };
  app.standing.on(draw);
  app.scene.on(draw);
  app.jobs.on(drawHead);
  how.on(drawHead);
  app.viewer.selected.on(drawJoint);
  app.mirrored.on(draw);
  draw();
  return root;
}
