// Judge: what is broken, where, and in which pose.

import * as THREE from 'three';
import type { App } from '../app';
import { fill, goal, h, icon, toggle } from '../dom';
import type { Place } from '../types';
import { copyButton, stageName } from './bind';

export function judgePanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'Judge' });
  let range = false;
  const draw = () => {
    const standing = app.standing.value;
    const report = app.report.value;
    const job = app.jobs.value.find((j) => j.kind === 'check');
    const bound = !!standing?.slots[0];
    fill(
      root,
      goal(
        report
          ? `${capital(report.headline)}. Go there and look.`
          : bound
            ? 'Move the rig through its clips and measure what the skin does.'
            : 'There are no weights to judge yet. Bind first.',
        'Nothing found: all measures are sound.',
        report?.verdict === 'sound',
      ),
      job
        ? h(
            'div',
            { class: 'progress', role: 'status' },
            h('span', {}, stageName(job.stage)),
            h('progress', { value: job.share, max: 1 }),
            h('button', { class: 'button', onclick: () => void app.cancel(job.job) }, 'Cancel'),
          )
        : h(
            'div',
            { class: 'stack' },
            h(
              'button',
              { class: 'button primary wide', 'data-act': 'judge', disabled: !bound, onclick: () => void app.check(range) },
              report ? 'Judge again' : 'Judge',
            ),
            toggle('Bend every joint, whatever the clips do', 'range', range, (on) => (range = on)),
          ),
    );
    if (!report) return;
    const places =
      report.places.length > 0
        ? report.places.map((place) => placeCard(app, place))
        : [h('p', { class: 'card sound' }, icon('check', 15), h('span', {}, 'Nothing found near any joint.'))];
    root.append(
      h('h3', {}, 'Places, worst first'),
      ...places,
      h('h3', {}, 'The whole character'),
      h(
        'table',
        { class: 'figures findings' },
        ...report.findings.map((f) =>
          h(
            'tr',
            { title: f.meaning },
            h('td', {}, h('span', { class: `dot ${f.verdict}` })),
            h(
              'td',
              {},
              h('button', { class: 'plain', title: 'Show it on the skin', onclick: () => showMap(app, f.map) }, f.measure),
            ),
            h('td', { class: 'figure' }, f.value),
            h('td', { class: 'figure faint' }, f.limit),
          ),
        ),
      ),
      h(
        'p',
        { class: 'note' },
        `${report.frames} poses of ${report.from_clips ? 'the clips' : 'the range of motion'}; score ${report.score.toFixed(2)}, less is better.`,
      ),
      h('div', { class: 'row' }, copyButton(app, 'Copy report', report.text)),
    );
  };
  app.report.on(draw);
  app.jobs.on(draw);
  app.standing.on(draw);
  draw();
  return root;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function showMap(app: App, map: number): void {
  const numbers = app.maps.get(map);
  if (!numbers || !app.viewer.skin) return;
  app.viewer.skin.setMap(numbers);
  app.setLook({ coloring: 'map' });
}

function placeCard(app: App, place: Place): HTMLElement {
  return h(
    'div',
    { class: `card place ${place.verdict}` },
    h('div', { class: 'row' }, h('strong', {}, place.name), h('span', { class: `tag ${place.verdict}` }, place.measure)),
    h('p', { class: 'note' }, place.frame ? `Worst in ${place.frame}` : 'In the weights themselves'),
    h('button', { class: 'button quiet', 'data-act': 'go-there', onclick: () => void goThere(app, place) }, icon('target', 14), 'Go there'),
  );
}

/** Camera, clip, frame and joint of a place. */
async function goThere(app: App, place: Place): Promise<void> {
  const { player, viewer } = app;
  if (!player) return;
  player.playing.value = false;
  if (place.clip !== null && place.seconds !== null) {
    player.choose({ clip: place.clip });
    await player.ready();
    player.seek(place.seconds);
  } else if (place.pose) {
    player.hold(Float32Array.from(place.pose));
  }
  app.select(place.joint);
  showMap(app, place.map);
  viewer.draw();
  // The pose is shown with the next frame; then the joint is where it will be.
  requestAnimationFrame(() => {
    const at = 12 * place.joint;
    const world = viewer.worldFromJoints;
    viewer.framePlace(new THREE.Vector3(world[at + 9], world[at + 10], world[at + 11]), 0.17);
  });
}
