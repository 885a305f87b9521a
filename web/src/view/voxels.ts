// The solid that distances ran through, as cubes, cut open by a plane that moves.

import * as THREE from 'three';
import type { Frame } from '../frames';
import type { Painted } from '../types';

/** Inside, surface, bone, decided by winding number; as in style.css. */
const KINDS = ['#4d86c8', '#9aa3af', '#f08a3c', '#a77be0'].map((c) => new THREE.Color(c));
const PAINTED_IN = new THREE.Color('#58c48c');
const PAINTED_OUT = new THREE.Color('#d8604f');

export class Voxels {
  readonly group = new THREE.Group();
  /** Where the plane is, along its axis. */
  height = 0;
  private leaves: { size: number; middles: Float32Array; kinds: Uint32Array } | null = null;
  private mesh: THREE.InstancedMesh | null = null;

  /** Leaves that came. */
  set(frame: Frame): void {
    const count = frame.a;
    this.leaves = { size: frame.f32(1)[0], middles: frame.f32(3 * count), kinds: frame.u32(count) };
  }

  /** How many leaves there are of each kind. */
  get counts(): number[] {
    const counts = [0, 0, 0, 0];
    for (const kind of this.leaves?.kinds ?? []) counts[kind & 255] += 1;
    return counts;
  }

  clear(): void {
    this.hide();
    this.leaves = null;
  }

  hide(): void {
    if (!this.mesh) return;
    this.group.remove(this.mesh);
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
    this.mesh = null;
  }

  /** The leaves that a plane across an axis cuts, at a share of the solid, and balls that are being painted. */
  slice(axis: number, share: number, painted: Painted[] = []): void {
    this.hide();
    if (!this.leaves) return;
    const { size, middles, kinds } = this.leaves;
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < middles.length; i += 3) {
      low = Math.min(low, middles[i]);
      high = Math.max(high, middles[i]);
    }
    // In the middle of a layer of the finest voxels, so that nothing flickers at their borders.
    const at = low + Math.round((share * (high - low)) / size) * size;
    this.height = at;
    const cells: { middle: number[]; edge: number; color: THREE.Color }[] = [];
    for (let leaf = 0; leaf < kinds.length; leaf++) {
      const edge = size * 2 ** (kinds[leaf] >> 8);
      if (Math.abs(middles[3 * leaf + axis] - at) > 0.5 * edge) continue;
      const middle = [middles[3 * leaf], middles[3 * leaf + 1], middles[3 * leaf + 2]];
      middle[axis] = at;
      const kind = kinds[leaf] & 255;
      const over = kind === 1 ? undefined : painted.findLast((p) => within(p, middle));
      cells.push({ middle, edge, color: over ? (over.inside ? PAINTED_IN : PAINTED_OUT) : KINDS[kind] });
    }
    for (const ball of painted.filter((p) => p.inside)) cells.push(...cellsOf(ball, axis, at, size));
    const mesh = new THREE.InstancedMesh(
      new THREE.BoxGeometry(1, 1, 1),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.9 }),
      Math.max(1, cells.length),
    );
    mesh.count = cells.length;
    const place = new THREE.Matrix4();
    cells.forEach(({ middle, edge, color }, n) => {
      const scale = [0.94 * edge, 0.94 * edge, 0.94 * edge];
      scale[axis] = 0.25 * size;
      place.makeScale(scale[0], scale[1], scale[2]).setPosition(middle[0], middle[1], middle[2]);
      mesh.setMatrixAt(n, place);
      mesh.setColorAt(n, color);
    });
    mesh.frustumCulled = false;
    this.mesh = mesh;
    this.group.add(mesh);
  }
}

function within(painted: Painted, at: number[]): boolean {
  const { centre, radius } = painted.shape.sphere;
  return Math.hypot(at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]) <= radius;
}

/** Where a ball will fill voxels that are not there yet. */
function cellsOf(ball: Painted, axis: number, at: number, size: number): { middle: number[]; edge: number; color: THREE.Color }[] {
  const { centre, radius } = ball.shape.sphere;
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const cells = [];
  const steps = Math.min(40, Math.ceil(radius / size));
  for (let i = -steps; i <= steps; i++) {
    for (let k = -steps; k <= steps; k++) {
      const middle = [...centre];
      middle[axis] = at;
      middle[u] += i * size;
      middle[v] += k * size;
      if (within(ball, middle)) cells.push({ middle, edge: size, color: PAINTED_IN });
    }
  }
  return cells;
}
