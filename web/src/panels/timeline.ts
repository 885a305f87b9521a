// The bar below: which motion, play, scrub, speed.

import type { App } from '../app';
import { fill, h, icon } from '../dom';
import type { Source } from '../player';
import type { SceneClip } from '../types';

/** What a person calls a motion: names of files as they are, ours as words. */
function label(clip: SceneClip): string {
  if (clip.kind === 'file') return clip.name;
  const words = clip.name.replace('builtin:', '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1) + (clip.kind === 'range' ? ', every joint' : '');
}

export function timeline(app: App): HTMLElement {
  const play = h('button', { class: 'button quiet icon-only play', 'data-act': 'play', title: 'Play (Space)', 'aria-label': 'Play or pause' });
  play.addEventListener('click', () => app.player?.toggle());
  const clips = h('select', { name: 'clip', 'aria-label': 'Motion', title: 'Motion' });
  const scrub = h('input', { type: 'range', name: 'time', min: 0, max: 1, step: 0.001, value: '0', 'aria-label': 'Time' });
  const time = h('output', { class: 'figure time' }, '0.00 s');
  const speed = h('select', { name: 'speed', 'aria-label': 'Speed', title: 'Speed' });
  for (const value of [0.1, 0.25, 0.5, 1, 2]) {
    speed.append(h('option', { value: String(value), selected: value === 1 }, `${value}×`));
  }
  speed.addEventListener('change', () => {
    if (app.player) app.player.speed.value = Number(speed.value);
  });
  clips.addEventListener('change', () => {
    const value = clips.value;
    const source: Source = value === 'pose' || value === 'keys' ? value : { clip: Number(value) };
    app.player?.choose(source);
    if (source !== 'pose' && app.player) app.player.playing.value = true;
    clips.blur();
  });
  scrub.addEventListener('input', () => {
    if (!app.player) return;
    app.player.playing.value = false;
    app.player.seek(scrub.valueAsNumber * app.player.duration);
    app.viewer.draw();
  });

  const drawClips = () => {
    const scene = app.scene.value;
    const keys = app.standing.value?.state.keys.length ?? 0;
    const source = app.player?.source.value ?? 'pose';
    const chosen = typeof source === 'object' ? String(source.clip) : source;
    const of = (wanted: (clip: SceneClip) => boolean) =>
      (scene?.clips ?? []).flatMap((clip, at) =>
        wanted(clip) ? [h('option', { value: String(at), selected: chosen === String(at) }, label(clip))] : [],
      );
    fill(
      clips,
      h('option', { value: 'pose', selected: chosen === 'pose' }, 'Pose by hand'),
      ...of((clip) => clip.kind === 'file'),
      keys > 1 ? h('option', { value: 'keys', selected: chosen === 'keys' }, `Kept poses (${keys})`) : null,
      h('optgroup', { label: 'Made for this body' }, ...of((clip) => clip.kind !== 'file')),
    );
  };
  const drawPlay = () => {
    const playing = app.player?.playing.value ?? false;
    fill(play, icon(playing ? 'pause' : 'play', 18));
    play.setAttribute('aria-pressed', String(playing));
  };
  const posed = () => (app.standing.value?.state.pose.length ?? 0) > 0;
  const drawTime = () => {
    const player = app.player;
    const duration = player?.duration ?? 0;
    const seconds = player?.seconds.value ?? 0;
    scrub.disabled = play.disabled = duration <= 0;
    if (document.activeElement !== scrub) scrub.value = String(duration > 0 ? seconds / duration : 0);
    time.textContent = duration > 0 ? `${seconds.toFixed(2)} / ${duration.toFixed(2)} s` : posed() ? 'Pose' : 'Rest';
  };
  app.scene.on(() => {
    const player = app.player;
    if (!player) return;
    speed.value = '1';
    player.playing.each(drawPlay);
    player.seconds.each(drawTime);
    player.source.each(() => {
      drawClips();
      drawTime();
    });
    drawTime();
  });
  app.standing.on(drawClips);
  app.look.on(drawTime);
  drawPlay();
  // A clip's poses come later than its choice.
  setInterval(drawTime, 300);
  return h('footer', { class: 'timeline', 'aria-label': 'Motion' }, play, clips, scrub, time, speed);
}
