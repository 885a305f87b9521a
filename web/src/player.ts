// What moves the character: a clip, the range of motion, poses by hand, or nothing.

import { Motion, PLACE, blend, type Pose, type Rig } from './pose';
import { Signal } from './signal';
import type { Key, Turn } from './types';

/** What is played: a clip by number, the poses kept by hand, or the pose by hand. */
export type Source = { clip: number } | 'keys' | 'pose';

export class Player {
  readonly source = new Signal<Source>('pose');
  readonly seconds = new Signal(0);
  readonly playing = new Signal(false);
  readonly speed = new Signal(1);
  readonly pose: Pose;
  private motions = new Map<number, Motion>();
  private waiting: (() => void)[] = [];
  private keys: Key[] = [];
  private hand: Turn[] = [];
  /** A pose that was gone to, until something else is shown. */
  private held: Pose | null = null;

  constructor(
    private readonly rig: Rig,
    private readonly wantClip: (clip: number) => void,
  ) {
    this.pose = rig.rest.slice();
  }

  get duration(): number {
    const source = this.source.value;
    if (source === 'pose') return 0;
    if (source === 'keys') return this.keys.at(-1)?.seconds ?? 0;
    return this.motions.get(source.clip)?.seconds ?? 0;
  }

  /** Whether the pose can be turned by hand as it is shown. */
  get byHand(): boolean {
    return this.source.value === 'pose' && this.held === null;
  }

  setMotion(clip: number, motion: Motion): void {
    this.motions.set(clip, motion);
    this.update();
    for (const came of this.waiting.splice(0)) came();
  }

  /** When the poses of what is chosen are there. */
  ready(): Promise<void> {
    const source = this.source.value;
    if (typeof source !== 'object' || this.motions.has(source.clip)) return Promise.resolve();
    return new Promise<void>((came) => this.waiting.push(came)).then(() => this.ready());
  }

  /** Joints went elsewhere. */
  shift(went: Float32Array): void {
    for (const motion of this.motions.values()) motion.shift(went);
    this.update();
  }

  /** Clips are asked for anew: the rig that they move is another. */
  renew(): void {
    const source = this.source.value;
    for (const clip of [...this.motions.keys()]) {
      if (typeof source === 'object' && source.clip === clip) this.wantClip(clip);
      else this.motions.delete(clip);
    }
  }

  setState(hand: Turn[], keys: Key[]): void {
    this.hand = hand;
    this.keys = keys;
    this.update();
  }

  choose(source: Source): void {
    this.held = null;
    this.seconds.value = 0;
    this.source.value = source;
    if (typeof source === 'object' && !this.motions.has(source.clip)) this.wantClip(source.clip);
    if (source === 'pose') this.playing.value = false;
    this.update();
  }

  seek(seconds: number): void {
    this.held = null;
    this.seconds.value = Math.min(Math.max(0, seconds), this.duration);
    this.update();
  }

  toggle(): void {
    if (this.duration > 0) {
      this.held = null;
      this.playing.value = !this.playing.value;
    }
  }

  hold(pose: Pose): void {
    this.playing.value = false;
    this.held = pose;
    this.update();
  }

  advance(elapsed: number): void {
    const duration = this.duration;
    if (!this.playing.value || duration <= 0) return;
    this.seconds.value = (this.seconds.value + elapsed * this.speed.value) % duration;
    this.update();
  }

  /** Turns a joint by hand; what was shown until then is the start. */
  turn(joint: number, rotation: [number, number, number, number]): Turn[] {
    if (!this.byHand) {
      this.hand = this.rig.turns(this.pose);
      this.held = null;
      this.playing.value = false;
      this.source.value = 'pose';
    }
    const at = PLACE * joint;
    const others = this.hand.filter((t) => t.joint !== joint);
    const translation: Turn['translation'] = [this.pose[at], this.pose[at + 1], this.pose[at + 2]];
    this.hand = [...others, { joint, rotation, translation }].sort((a, b) => a.joint - b.joint);
    this.update();
    return this.hand;
  }

  get turns(): Turn[] {
    return this.hand;
  }

  update(): void {
    const { pose, rig } = this;
    const source = this.source.value;
    if (this.held) {
      pose.set(this.held);
    } else if (source === 'pose') {
      pose.set(rig.turned(this.hand));
    } else if (source === 'keys') {
      this.fromKeys();
    } else {
      const motion = this.motions.get(source.clip);
      if (motion) motion.at(this.seconds.value, pose);
      else pose.set(rig.rest);
    }
  }

  private fromKeys(): void {
    const { keys, rig, pose } = this;
    const now = this.seconds.value;
    const next = keys.findIndex((k) => k.seconds >= now);
    const after = keys[next === -1 ? keys.length - 1 : next];
    const before = keys[Math.max(0, (next === -1 ? keys.length : next) - 1)];
    if (!after || !before) {
      pose.set(rig.rest);
      return;
    }
    const span = after.seconds - before.seconds;
    const t = span > 0 ? Math.min(1, Math.max(0, (now - before.seconds) / span)) : 0;
    blend(rig.turned(before.turns), 0, rig.turned(after.turns), 0, t, pose);
  }
}
