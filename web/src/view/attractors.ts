// Points, balls and boxes that attract skin for a joint: drawn at rest, moved and sized by a gizmo.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Shape } from '../types';

export interface Placed {
  shape: Shape;
  /** Where the joint is at rest. */
  joint: [number, number, number];
  color: [number, number, number];
}

export type Tool = 'translate' | 'scale';

/** How large a point is drawn, as a share of the character. */
const POINT = 0.012;

export class Attractors {
  readonly group = new THREE.Group();
  readonly gizmo: TransformControls;
  private placed: Placed[] = [];
  private size = 1;
  private chosen: number | null = null;

  constructor(
    camera: THREE.Camera,
    element: HTMLElement,
    private readonly changed: (at: number, shape: Shape, released: boolean) => void,
    draw: () => void,
  ) {
    this.gizmo = new TransformControls(camera, element);
    this.gizmo.setSpace('world');
    this.gizmo.setSize(0.62);
    this.gizmo.setColors('#e0575b', '#5aa84f', '#4b8ee8', '#ffd166');
    this.gizmo.addEventListener('change', draw);
    this.gizmo.addEventListener('objectChange', () => this.tell(false));
    this.gizmo.addEventListener('mouseUp', () => this.tell(true));
  }

  /** Whether a handle of the gizmo is under the pointer or held. */
  get busy(): boolean {
    return this.gizmo.dragging || (this.gizmo.object !== undefined && this.gizmo.axis !== null);
  }

  /** Shows shapes; `chosen` has the gizmo. */
  set(placed: Placed[], chosen: number | null, tool: Tool, size: number): void {
    if (this.gizmo.dragging) return; // what is held stays as it is
    this.clear();
    this.placed = placed;
    this.size = size;
    this.chosen = chosen;
    placed.forEach(({ shape, joint, color }, at) => {
      const mesh = drawn(shape, new THREE.Color(...color).convertLinearToSRGB(), at === chosen);
      const { offset, extent } = measures(shape, POINT * size);
      mesh.position.set(joint[0] + offset[0], joint[1] + offset[1], joint[2] + offset[2]);
      mesh.scale.set(...extent);
      this.group.add(mesh);
    });
    const held = chosen === null ? undefined : this.group.children[chosen];
    if (held) {
      const sizable = !('point' in placed[chosen as number].shape);
      this.gizmo.setMode(sizable ? tool : 'translate');
      this.gizmo.attach(held);
    }
  }

  clear(): void {
    this.gizmo.detach();
    for (const child of this.group.children as THREE.Mesh[]) {
      child.traverse((part) => {
        const mesh = part as THREE.Mesh;
        mesh.geometry?.dispose();
        (mesh.material as THREE.Material | undefined)?.dispose();
      });
    }
    this.group.clear();
    this.placed = [];
    this.chosen = null;
  }

  private tell(released: boolean): void {
    const at = this.chosen;
    if (at === null) return;
    const mesh = this.group.children[at];
    const { shape, joint } = this.placed[at];
    const least = 1e-3 * this.size;
    const offset = mesh.position.toArray().map((x, k) => round(x - joint[k])) as [number, number, number];
    const [x, y, z] = mesh.scale.toArray().map((s) => round(Math.max(Math.abs(s), least)));
    if ('point' in shape) this.changed(at, { point: { offset } }, released);
    else if ('ball' in shape) {
      // A ball stays round: the axis that was pulled decides.
      const before = shape.ball.radius;
      const radius = [x, y, z].reduce((a, b) => (Math.abs(b - before) > Math.abs(a - before) ? b : a), before);
      mesh.scale.setScalar(radius);
      this.changed(at, { ball: { offset, radius } }, released);
    } else this.changed(at, { box: { offset, half_extent: [x, y, z] } }, released);
  }
}

/** Six digits: what a person sets by hand, and a command line that can be read. */
function round(x: number): number {
  return Number(x.toPrecision(6));
}

function measures(shape: Shape, point: number): { offset: [number, number, number]; extent: [number, number, number] } {
  if ('point' in shape) return { offset: shape.point.offset, extent: [point, point, point] };
  if ('ball' in shape) {
    const r = shape.ball.radius;
    return { offset: shape.ball.offset, extent: [r, r, r] };
  }
  return { offset: shape.box.offset, extent: shape.box.half_extent };
}

function drawn(shape: Shape, color: THREE.Color, chosen: boolean): THREE.Mesh {
  const geometry = 'box' in shape ? new THREE.BoxGeometry(2, 2, 2) : new THREE.SphereGeometry(1, 24, 14);
  const mesh = new THREE.Mesh(
    geometry,
    new THREE.MeshBasicMaterial({ color, transparent: true, opacity: chosen ? 0.34 : 0.2, depthTest: false, depthWrite: false }),
  );
  const edges = 'box' in shape ? new THREE.EdgesGeometry(geometry) : new THREE.WireframeGeometry(new THREE.SphereGeometry(1, 12, 6));
  const line = new THREE.LineSegments(
    edges,
    new THREE.LineBasicMaterial({ color, transparent: true, opacity: chosen ? 0.9 : 0.4, depthTest: false }),
  );
  mesh.renderOrder = 12;
  line.renderOrder = 13;
  mesh.add(line);
  return mesh;
}
