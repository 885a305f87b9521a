// The joints' matrices of a pose, as a texture: what the skin's shader blends.
//
// Dual quaternions after Kavan et al. 2008, split as ligament::deform does: M x = R S (x − p) + M p about the joint's place p.

import * as THREE from 'three';
import { multiply, type Rig } from '../pose';
import { JOINT_TEXELS } from './shaders';

export class Palette {
  readonly texture: THREE.DataTexture;
  private readonly data: Float32Array;

  constructor(private readonly rig: Rig) {
    const count = Math.max(1, rig.count);
    this.data = new Float32Array(4 * JOINT_TEXELS * count);
    this.texture = new THREE.DataTexture(this.data, JOINT_TEXELS, count, THREE.RGBAFormat, THREE.FloatType);
  }

  /** Takes a pose; whether a joint of it scales. */
  update(world: Float64Array, dual: boolean): boolean {
    const m = new Float64Array(12);
    let stretches = false;
    for (let j = 0; j < this.rig.count; j++) {
      multiply(world, 12 * j, this.rig.inverse, 12 * j, m, 0);
      this.rows(m, j, 0);
      if (dual) stretches = this.split(m, j) || stretches;
    }
    this.texture.needsUpdate = true;
    return stretches;
  }

  private rows(m: ArrayLike<number>, joint: number, first: number): void {
    for (let row = 0; row < 3; row++) {
      const at = 4 * (JOINT_TEXELS * joint + first + row);
      for (let c = 0; c < 4; c++) this.data[at + c] = m[3 * c + row];
    }
  }

  private split(m: Float64Array, joint: number): boolean {
    const r = nearestRotation(m);
    const p = this.rig.places.subarray(3 * joint, 3 * joint + 3);
    // S = Rᵀ M, columns as M's.
    const s = new Float64Array(12);
    let stretches = false;
    for (let c = 0; c < 3; c++) {
      for (let row = 0; row < 3; row++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += r[3 * row + k] * m[3 * c + k];
        s[3 * c + row] = sum;
        stretches ||= Math.abs(sum - (c === row ? 1 : 0)) > 1e-5;
      }
    }
    for (let row = 0; row < 3; row++) {
      s[9 + row] = p[row] - (s[row] * p[0] + s[3 + row] * p[1] + s[6 + row] * p[2]);
    }
    this.rows(s, joint, 5);
    const q = quaternion(r);
    const t = [0, 1, 2].map((row) => {
      const moved = m[row] * p[0] + m[3 + row] * p[1] + m[6 + row] * p[2] + m[9 + row];
      return moved - (r[row] * p[0] + r[3 + row] * p[1] + r[6 + row] * p[2]);
    });
    const [x, y, z, w] = q;
    const dual = [
      0.5 * (t[0] * w + t[1] * z - t[2] * y),
      0.5 * (t[1] * w + t[2] * x - t[0] * z),
      0.5 * (t[2] * w + t[0] * y - t[1] * x),
      -0.5 * (t[0] * x + t[1] * y + t[2] * z),
    ];
    const at = 4 * (JOINT_TEXELS * joint + 3);
    this.data.set(q, at);
    this.data.set(dual, at + 4);
    return stretches;
  }
}

/** The rotation of the polar decomposition, by Newton's iteration. */
function nearestRotation(m: ArrayLike<number>): Float64Array {
  let r = Float64Array.from({ length: 9 }, (_, i) => m[i]);
  const size = Math.max(...r.map(Math.abs));
  if (!(size > 0)) return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  r = r.map((x) => x / size);
  if (determinant(r) < 0) r = r.map((x) => -x);
  for (let step = 0; step < 30; step++) {
    const inverse = inverseTransposed(r);
    if (!inverse) return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    let change = 0;
    for (let i = 0; i < 9; i++) {
      const next = 0.5 * (r[i] + inverse[i]);
      change = Math.max(change, Math.abs(next - r[i]));
      r[i] = next;
    }
    if (change < 1e-12) break;
  }
  return r;
}

function determinant(m: Float64Array): number {
  return (
    m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) + m[6] * (m[1] * m[5] - m[2] * m[4])
  );
}

function inverseTransposed(m: Float64Array): Float64Array | null {
  const det = determinant(m);
  if (Math.abs(det) < 1e-12) return null;
  const [a, b, c, d, e, f, g, h, i] = m;
  return Float64Array.of(
    (e * i - f * h) / det, (f * g - d * i) / det, (d * h - e * g) / det,
    (c * h - b * i) / det, (a * i - c * g) / det, (b * g - a * h) / det,
    (b * f - c * e) / det, (c * d - a * f) / det, (a * e - b * d) / det,
  );
}

const matrix = new THREE.Matrix4();
const turn = new THREE.Quaternion();

/** The quaternion of a rotation given by columns. */
export function quaternion(r: ArrayLike<number>): [number, number, number, number] {
  matrix.set(r[0], r[3], r[6], 0, r[1], r[4], r[7], 0, r[2], r[5], r[8], 0, 0, 0, 0, 1);
  turn.setFromRotationMatrix(matrix).normalize();
  return [turn.x, turn.y, turn.z, turn.w];
}
