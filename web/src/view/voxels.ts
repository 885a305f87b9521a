// The solid that distances ran through, as cubes, cut open by a plane that moves.

import * as THREE from 'three';
import type { Frame } from '../frames';

const KINDS = [new THREE.Color('#4d86c8'), new THREE.Color('#9aa3af'), new THREE.Color('#f08a3c')];

export class Voxels {
  readonly group = new THREE.Group();
  private leaves: { size: number; middles: Float32Array; kinds: Uint32Array } | null = null;
  private mesh: THREE.InstancedMesh | null = null;

  /** Leaves that came. */
  set(frame: Frame): void {
    const count = frame.a;
    this.leaves = { size: frame.f32(1)[0], middles: frame.f32(3 * count), kinds: frame.u32(count) };
  }

  get there(): boolean {
    return this.leaves !== null;
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

  /** The leaves that a plane across an axis cuts, at a share of the solid. */
  slice(axis: number, share: number): void {
    this.hide();
    if (!this.leaves) return;
    const { size, middles, kinds } = this.leaves;
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < middles.length; i += 3) {
      low = Math.min(low, middles[i]);
      high = Math.max(high, middles[i]);
    }
    const at = low + share * (high - low);
    const cut: number[] = [];
    for (let leaf = 0; leaf < kinds.length; leaf++) {
      const half = 0.5 * size * 2 ** (kinds[leaf] >> 8);
      if (Math.abs(middles[3 * leaf + axis] - at) <= half) cut.push(leaf);
    }
    const mesh = new THREE.InstancedMesh(
      new THREE.BoxGeometry(1, 1, 1),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.9 }),
      Math.max(1, cut.length),
    );
    mesh.count = cut.length;
    const place = new THREE.Matrix4();
    cut.forEach((leaf, n) => {
      const edge = 0.94 * size * 2 ** (kinds[leaf] >> 8);
      const scale = [edge, edge, edge];
      scale[axis] = 0.25 * size;
      const middle = [middles[3 * leaf], middles[3 * leaf + 1], middles[3 * leaf + 2]];
      middle[axis] = at;
      place.makeScale(scale[0], scale[1], scale[2]).setPosition(middle[0], middle[1], middle[2]);
      mesh.setMatrixAt(n, place);
      mesh.setColorAt(n, KINDS[kinds[leaf] & 255]);
    });
    mesh.frustumCulled = false;
    this.mesh = mesh;
    this.group.add(mesh);
  }
}
