// Poses: ten numbers for each joint (translation, rotation, scale), places in the world, and matrices for the skin.

import type { Scene, Turn } from './types';

export const PLACE = 10;

/** A pose of all joints, seen from their parents. */
export type Pose = Float32Array<ArrayBuffer>;

/** The skeleton's constants. */
export class Rig {
  readonly count: number;
  readonly parents: Int32Array;
  readonly rest: Pose;
  /** joint from bind, three columns and the place, for each joint. */
  readonly inverse: Float64Array;
  readonly places: Float64Array;

  constructor(scene: Scene) {
    this.count = scene.joints.length;
    this.parents = Int32Array.from(scene.joints, (j) => j.parent ?? -1);
    this.rest = Float32Array.from(scene.joints.flatMap((j) => j.rest));
    this.inverse = new Float64Array(12 * this.count);
    this.places = new Float64Array(3 * this.count);
    scene.joints.forEach((joint, j) => {
      invert(joint.bind, this.inverse, 12 * j);
      this.places.set(joint.bind.slice(9, 12), 3 * j);
    });
  }

  /** Takes joints that are elsewhere; how far each one's place from its parent went. */
  moveTo(joints: Scene['joints']): Float32Array {
    const went = new Float32Array(3 * this.count);
    joints.forEach((joint, j) => {
      for (let k = 0; k < 3; k++) went[3 * j + k] = joint.rest[k] - this.rest[PLACE * j + k];
      this.rest.set(joint.rest, PLACE * j);
      invert(joint.bind, this.inverse, 12 * j);
      this.places.set(joint.bind.slice(9, 12), 3 * j);
    });
    return went;
  }

  /** The rest pose with some joints turned. */
  turned(turns: Turn[]): Pose {
    const pose = this.rest.slice();
    for (const turn of turns) {
      pose.set(turn.translation, PLACE * turn.joint);
      pose.set(turn.rotation, PLACE * turn.joint + 3);
    }
    return pose;
  }

  /** The joints of a pose that are not at rest. */
  turns(pose: Pose): Turn[] {
    const turns: Turn[] = [];
    for (let j = 0; j < this.count; j++) {
      const at = PLACE * j;
      let differs = false;
      for (let k = 0; k < 7; k++) differs ||= Math.abs(pose[at + k] - this.rest[at + k]) > 1e-6;
      if (!differs) continue;
      turns.push({
        joint: j,
        rotation: [pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]],
        translation: [pose[at], pose[at + 1], pose[at + 2]],
      });
    }
    return turns;
  }

  /** world from joint for each joint: three columns and the place. */
  world(pose: Pose, out: Float64Array): void {
    const local = new Float64Array(12);
    for (let j = 0; j < this.count; j++) {
      compose(pose, PLACE * j, local);
      const parent = this.parents[j];
      if (parent < 0) out.set(local, 12 * j);
      else multiply(out, 12 * parent, local, 0, out, 12 * j);
    }
  }
}

function compose(pose: Pose, at: number, out: Float64Array): void {
  const [tx, ty, tz, x, y, z, w, sx, sy, sz] = pose.subarray(at, at + PLACE);
  const length = x * x + y * y + z * z + w * w;
  const s = length > 0 ? 2 / length : 0;
  out[0] = (1 - s * (y * y + z * z)) * sx;
  out[1] = s * (x * y + z * w) * sx;
  out[2] = s * (x * z - y * w) * sx;
  out[3] = s * (x * y - z * w) * sy;
  out[4] = (1 - s * (x * x + z * z)) * sy;
  out[5] = s * (y * z + x * w) * sy;
  out[6] = s * (x * z + y * w) * sz;
  out[7] = s * (y * z - x * w) * sz;
  out[8] = (1 - s * (x * x + y * y)) * sz;
  out[9] = tx;
  out[10] = ty;
  out[11] = tz;
}

/** Affine maps as three columns and a place. */
export function multiply(
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  k: number,
  out: Float64Array,
  o: number,
): void {
  const r = new Array<number>(12);
  for (let c = 0; c < 4; c++) {
    const x = b[k + 3 * c];
    const y = b[k + 3 * c + 1];
    const z = b[k + 3 * c + 2];
    for (let row = 0; row < 3; row++) {
      r[3 * c + row] = a[i + row] * x + a[i + 3 + row] * y + a[i + 6 + row] * z + (c === 3 ? a[i + 9 + row] : 0);
    }
  }
  for (let n = 0; n < 12; n++) out[o + n] = r[n];
}

/** The place of a point under an affine map. */
export function transform(m: ArrayLike<number>, at: number, p: ArrayLike<number>): [number, number, number] {
  const row = (r: number) => m[at + r] * p[0] + m[at + 3 + r] * p[1] + m[at + 6 + r] * p[2] + m[at + 9 + r];
  return [row(0), row(1), row(2)];
}

export function invert(m: ArrayLike<number>, out: Float64Array, o: number): void {
  const [a, b, c, d, e, f, g, h, i] = Array.from({ length: 9 }, (_, n) => m[n]);
  const det = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
  const s = det === 0 ? 0 : 1 / det;
  const r = [
    (e * i - f * h) * s, (c * h - b * i) * s, (b * f - c * e) * s,
    (f * g - d * i) * s, (a * i - c * g) * s, (c * d - a * f) * s,
    (d * h - e * g) * s, (b * g - a * h) * s, (a * e - b * d) * s,
  ];
  for (let n = 0; n < 9; n++) out[o + n] = r[n];
  for (let row = 0; row < 3; row++) {
    out[o + 9 + row] = -(r[row] * m[9] + r[3 + row] * m[10] + r[6 + row] * m[11]);
  }
}

/** Goes from one pose to another: straight, rotations along the shorter arc. */
export function blend(a: Pose, ai: number, b: Pose, bi: number, t: number, out: Pose): void {
  for (let at = 0; at < out.length; at += PLACE) {
    for (const k of [0, 1, 2, 7, 8, 9]) out[at + k] = a[ai + at + k] * (1 - t) + b[bi + at + k] * t;
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += a[ai + at + k] * b[bi + at + k];
    const sign = dot < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, Math.abs(dot)));
    const sine = Math.sin(angle);
    const wa = sine > 1e-4 ? Math.sin((1 - t) * angle) / sine : 1 - t;
    const wb = (sine > 1e-4 ? Math.sin(t * angle) / sine : t) * sign;
    for (let k = 3; k < 7; k++) out[at + k] = a[ai + at + k] * wa + b[bi + at + k] * wb;
  }
}

/** Sampled poses, evenly spaced. */
export class Motion {
  constructor(
    readonly step: number,
    readonly frames: number,
    private readonly poses: Pose,
  ) {}

  get seconds(): number {
    return this.step * (this.frames - 1);
  }

  /** Joints went elsewhere; what is played goes along until it comes anew. */
  shift(went: Float32Array): void {
    for (let at = 0, j = 0; at < this.poses.length; at += PLACE, j = (j + 1) % (went.length / 3)) {
      for (let k = 0; k < 3; k++) this.poses[at + k] += went[3 * j + k];
    }
  }

  at(seconds: number, out: Pose): void {
    const size = out.length;
    const place = this.step > 0 ? Math.min(Math.max(seconds / this.step, 0), this.frames - 1) : 0;
    const first = Math.min(Math.floor(place), Math.max(0, this.frames - 2));
    const second = Math.min(first + 1, this.frames - 1);
    blend(this.poses, first * size, this.poses, second * size, place - first, out);
  }
}
