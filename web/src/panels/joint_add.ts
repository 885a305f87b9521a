// Joints hung on a joint by clicks: the limb that a skeleton lacks, a joint into the middle of the body a click.

import type { App } from '../app';
import { h } from '../dom';
import type { EditCommand } from '../types';
import { atDepth } from './joint_drag';

type Place = [number, number, number];

/** The first number under which joints of these names are new. */
function freeNumber(app: App, stems: string[]): number {
  const taken = new Set(app.scene.value?.joints.map((j) => j.name));
  let number = 1;
  while (stems.some((stem) => taken.has(`${stem}${number}`))) number += 1;
  return number;
}

/** Every click hangs a joint on the last one, and one on the other side where both are edited, until it is done. */
export function addJoints(app: App, joint: number): void {
  const scene = app.scene.value;
  const skin = app.viewer.skin;
  if (!scene || !skin || app.brushing.value) return;
  const size = skin.box.max.distanceTo(skin.box.min);
  const place = (at: number) => scene.joints[at].bind.slice(9, 12) as Place;
  const partner = app.mirrorEdits ? app.partnerOf(joint) : null;
  const plane = partner === null ? 0 : (place(joint)[0] + place(partner)[0]) / 2;
  // What the next joint hangs on, on either side.
  let last = scene.joints[joint].name;
  let image = partner === null ? null : scene.joints[partner].name;
  let depth = place(joint);
  let count = 0;
  let busy = false;
  let at: [number, number] | null = null;
  let whole = false;

  const add = async (u: number, v: number) => {
    const inside = app.viewer.orbit.flat ? null : await app.snap(u, v, whole);
    const to = (inside ?? atDepth(app, depth, u, v)).map((x) => Number(x.toPrecision(7))) as Place;
    // In the middle there is one joint, beside it there are two.
    const two = image !== null && (image !== last || Math.abs(to[0] - plane) > 0.01 * size);
    const side = to[0] > plane ? ['left_', 'right_'] : ['right_', 'left_'];
    const stems = two ? side.map((s) => `${s}limb`) : ['limb'];
    const number = freeNumber(app, stems);
    const names = stems.map((stem) => `${stem}${number}`);
    const commands: EditCommand[] = [{ command: 'add_joint', joint: last, name: names[0], to }];
    if (two && image !== null) {
      commands.push({ command: 'add_joint', joint: image, name: names[1], to: [2 * plane - to[0], to[1], to[2]] });
    }
    app.toSelect = names[0];
    const steps = app.standing.value?.at;
    await app.edit(commands, `Add ${names.join(' and ')}`);
    // What was refused has been told; the chain goes on from where it was.
    if (app.standing.value?.at === steps) return;
    last = names[0];
    if (image !== null) image = two ? names[1] : names[0];
    depth = to;
    count += 1;
    words.textContent = `Click where the next joint goes; it hangs on ${last}.`;
    done.textContent = `Done: ${count} added`;
  };
  const end = () => {
    bar.remove();
    app.brushing.value = null;
    app.viewer.root.style.cursor = '';
  };
  const words = h('span', {}, `Click where the joint goes; it hangs on ${last}. Alt and drag turns.`);
  const done = h('button', { class: 'button primary', 'data-act': 'joints-added', title: 'Esc; a click with Shift goes to the middle of the whole body', onclick: end }, 'Done');
  const bar = h('div', { class: 'brushing' }, words, done);
  app.viewer.root.append(bar);
  app.viewer.root.style.cursor = 'crosshair';
  if (app.rig) app.player?.hold(app.rig.rest);
  app.brushing.value = {
    begin: (event) => {
      whole = event.shiftKey;
      return true;
    },
    stamp: (u, v) => (at = [u, v]),
    release: () => {
      if (!at || busy) return;
      busy = true;
      void add(...at).finally(() => (busy = false));
      at = null;
    },
    done: end,
  };
}
