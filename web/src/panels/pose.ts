// Pose: turn joints by hand, keep poses for a clip, how the skin follows.

import type { App } from '../app';
import { fill, goal, h, icon, segmented } from '../dom';
import { PLACE } from '../pose';

export function posePanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'Pose' });
  const draw = () => {
    const { scene, standing, look } = { scene: app.scene.value, standing: app.standing.value, look: app.look.value };
    if (!scene || !standing || !look) return fill(root);
    const joint = app.viewer.selected.value;
    const name = joint === null ? null : (scene.joints[joint]?.name ?? null);
    const posed = standing.state.pose.length;
    const keys = standing.state.keys;
    fill(
      root,
      goal(
        'Bend it until something breaks. Select a joint and drag a ring.',
        `${posed} ${posed === 1 ? 'joint is' : 'joints are'} turned. Does the skin follow as it should?`,
        posed > 0,
      ),
      h(
        'div',
        { class: 'stack' },
        h('span', { class: 'label' }, 'How the skin follows'),
        segmented(
          'How the skin follows',
          [
            { value: 'linear' as const, title: 'Linear', tip: 'What every engine does' },
            { value: 'dual' as const, title: 'Dual quaternion', tip: 'Keeps volume under twist' },
            { value: 'mush' as const, title: 'Delta mush', tip: 'Smoothed, detail put back; found by the server' },
          ],
          look.skinning,
          (value) => app.setLook({ skinning: value }),
        ),
      ),
      h(
        'div',
        { class: 'row' },
        h(
          'button',
          {
            class: 'button',
            disabled: joint === null || !standing.state.pose.some((t) => t.joint === joint),
            onclick: () =>
              void app.setPose(standing.state.pose.filter((t) => t.joint !== joint), `Reset ${name ?? ''}`),
          },
          icon('reset', 14),
          'Reset joint',
        ),
        h(
          'button',
          { class: 'button', disabled: posed === 0, onclick: () => void app.setPose([], 'Reset pose') },
          icon('reset', 14),
          'Reset all',
        ),
      ),
      joint !== null ? angles(app, joint) : null,
      h('hr'),
      h(
        'div',
        { class: 'row' },
        h('span', { class: 'label' }, 'Poses kept'),
        h(
          'button',
          {
            class: 'button',
            title: 'Keep the pose that is shown (K)',
            onclick: () => keepPose(app),
          },
          icon('key', 14),
          'Keep pose',
        ),
      ),
      keys.length === 0
        ? h('p', { class: 'note' }, 'Kept poses become a clip, half a second apart.')
        : h(
            'ul',
            { class: 'list' },
            ...keys.map((key, at) =>
              h(
                'li',
                {},
                h(
                  'button',
                  { class: 'plain', onclick: () => app.rig && app.player?.hold(app.rig.turned(key.turns)) },
                  `Pose ${at + 1}`,
                ),
                h('span', { class: 'figure' }, `${key.seconds.toFixed(2)} s`),
                h(
                  'button',
                  {
                    class: 'button icon-only',
                    'aria-label': `Remove pose ${at + 1}`,
                    onclick: () =>
                      void app.setKeys(spaced(keys.filter((k) => k !== key)), `Remove pose ${at + 1}`),
                  },
                  icon('close', 13),
                ),
              ),
            ),
          ),
    );
    app.viewer.draw();
  };
  app.standing.on(draw);
  app.look.on(draw);
  app.scene.on(draw);
  app.viewer.selected.on(draw);
  draw();
  return root;
}

const APART = 0.5;

function spaced<T extends { seconds: number }>(keys: T[]): T[] {
  return keys.map((key, at) => ({ ...key, seconds: at * APART }));
}

export function keepPose(app: App): void {
  const keys = app.standing.value?.state.keys ?? [];
  if (!app.rig || !app.player) return;
  const turns = app.rig.turns(app.player.pose);
  void app.setKeys(spaced([...keys, { seconds: 0, turns }]), `Keep pose ${keys.length + 1}`);
}

/** Turns by degrees, for the keyboard. */
function angles(app: App, joint: number): HTMLElement {
  const step = (axis: number, degrees: number) => {
    const player = app.player;
    if (!player) return;
    const at = PLACE * joint;
    const [x, y, z, w] = player.pose.subarray(at + 3, at + 7);
    const half = (degrees * Math.PI) / 360;
    const t = [0, 0, 0, Math.cos(half)];
    t[axis] = Math.sin(half);
    // The turn is about the joint's own axis: it comes first.
    const q: [number, number, number, number] = [
      w * t[0] + x * t[3] + y * t[2] - z * t[1],
      w * t[1] + y * t[3] + z * t[0] - x * t[2],
      w * t[2] + z * t[3] + x * t[1] - y * t[0],
      w * t[3] - x * t[0] - y * t[1] - z * t[2],
    ];
    const length = Math.hypot(...q);
    const turns = player.turn(joint, q.map((c) => c / length) as typeof q);
    void app.setPose(turns, `Turn ${app.scene.value?.joints[joint].name ?? ''}`);
  };
  const row = (axis: number) =>
    h(
      'div',
      { class: 'row turn' },
      h('span', { class: `axis axis-${axis}` }, 'XYZ'[axis]),
      ...[-90, -15, 15, 90].map((d) =>
        h(
          'button',
          { class: 'button quiet', 'data-turn': `${'xyz'[axis]}${d}`, onclick: () => step(axis, d) },
          `${d > 0 ? '+' : '−'}${Math.abs(d)}°`,
        ),
      ),
    );
  return h('div', { class: 'stack tight' }, row(0), row(1), row(2));
}
