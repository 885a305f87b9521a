// Bones as octahedra, drawn over the skin from back to front, coloured by the joint that moves them.

import * as THREE from 'three';
import { transform, type Rig } from '../pose';
import type { Scene } from '../types';

function octahedron(): THREE.BufferGeometry {
  // Along +y from 0 to 1, thickest at a sixth.
  const ring = [
    [1, 0], [0, 1], [-1, 0], [0, -1],
  ].map(([x, z]) => [0.5 * x, 0.16, 0.5 * z]);
  const [head, tail] = [[0, 0, 0], [0, 1, 0]];
  const corners: number[] = [];
  for (let i = 0; i < 4; i++) {
    const [a, b] = [ring[i], ring[(i + 1) % 4]];
    corners.push(...head, ...a, ...b, ...tail, ...b, ...a);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const vertexShader = /* glsl */ `
attribute vec3 tint;
varying vec3 vTint;
varying vec3 vNormalSeen;
void main() {
  vTint = tint;
  mat4 placed = modelViewMatrix * instanceMatrix;
  vNormalSeen = normalize(mat3(placed) * normal / vec3(
    dot(placed[0].xyz, placed[0].xyz), dot(placed[1].xyz, placed[1].xyz), dot(placed[2].xyz, placed[2].xyz)));
  gl_Position = projectionMatrix * placed * vec4(position, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform float opacity;
varying vec3 vTint;
varying vec3 vNormalSeen;
void main() {
  float light = 0.62 + 0.38 * max(0.0, dot(normalize(vNormalSeen), normalize(vec3(-0.3, 0.6, 0.8))));
  gl_FragColor = vec4(vTint * light, opacity);
}`;

const ROOT = new THREE.Color(0.5, 0.53, 0.58);

export class Bones {
  readonly group = new THREE.Group();
  private readonly mesh: THREE.InstancedMesh;
  private readonly tints: THREE.InstancedBufferAttribute;
  private readonly heads: [number, number, number][];
  private readonly tails: [number, number, number][];
  /** Where bones are in the pose that is shown: head and tail. */
  readonly segments: { joint: number; head: THREE.Vector3; tail: THREE.Vector3; stub: boolean }[];
  private readonly widths: number[];
  private readonly base: THREE.Color[];
  /** Joints of the skin with none above them that have one child alone: the way from the floor to the hips. */
  private readonly roots: Set<number>;

  constructor(
    private readonly scene: Scene,
    rig: Rig,
  ) {
    const inJoint = (joint: number, p: [number, number, number]) => transform(rig.inverse, 12 * joint, p);
    this.heads = scene.bones.map((b) => inJoint(b.joint, b.head));
    this.tails = scene.bones.map((b) => inJoint(b.joint, b.tail));
    this.segments = scene.bones.map((b) => ({
      joint: b.joint,
      head: new THREE.Vector3(...b.head),
      tail: new THREE.Vector3(...b.tail),
      stub: b.stub,
    }));
    this.widths = widths(this.segments);
    this.roots = new Set(
      scene.joints.flatMap((joint, at) => {
        let parent = joint.parent;
        while (parent !== null && !scene.joints[parent].in_skin) parent = scene.joints[parent].parent;
        const bones = scene.bones.filter((b) => b.joint === at).length;
        return parent === null && bones === 1 ? [at] : [];
      }),
    );
    // Colours are sent linear; the bones' shader shows them as they are.
    this.base = scene.joints.map((j) => new THREE.Color(...j.color).convertLinearToSRGB());
    const count = Math.max(1, scene.bones.length);
    const geometry = octahedron();
    this.tints = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
    geometry.setAttribute('tint', this.tints);
    const material = new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: { opacity: { value: 0.74 } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.mesh = new THREE.InstancedMesh(geometry, material, count);
    this.mesh.count = scene.bones.length;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
    this.group.add(this.mesh);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
  }

  setPose(world: Float64Array): void {
    this.scene.bones.forEach((bone, b) => {
      this.segments[b].head.set(...transform(world, 12 * bone.joint, this.heads[b]));
      this.segments[b].tail.set(...transform(world, 12 * bone.joint, this.tails[b]));
    });
  }

  /** Sorts from back to front and colours. */
  arrange(
    camera: THREE.Camera,
    selected: number | null,
    hovered: number | null,
    accent: THREE.Color,
    holders: Set<number>,
  ): void {
    const eye = camera.position;
    const order = this.segments
      .map((segment, at) => ({ at, far: segment.head.distanceToSquared(eye) + segment.tail.distanceToSquared(eye) }))
      .sort((a, b) => b.far - a.far);
    const place = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const up = new THREE.Vector3(0, 1, 0);
    const along = new THREE.Vector3();
    const scale = new THREE.Vector3();
    const tint = new THREE.Color();
    order.forEach(({ at }, n) => {
      const { joint, head, tail } = this.segments[at];
      along.subVectors(tail, head);
      const length = along.length() || 1e-6;
      turn.setFromUnitVectors(up, along.divideScalar(length));
      // Controls, and a root's line from the floor, are no limbs.
      const root = this.roots.has(joint) || (holders.size > 0 && !holders.has(joint));
      const width = Math.min(this.widths[at], 0.3 * length) * (root ? 0.3 : 1);
      scale.set(width, length, width);
      this.mesh.setMatrixAt(n, place.compose(head, turn, scale));
      tint.copy(root ? ROOT : this.base[joint]);
      if (selected !== null && joint !== selected) tint.lerp(new THREE.Color(0.45, 0.47, 0.5), 0.45);
      if (joint === selected) tint.copy(accent);
      else if (joint === hovered) tint.lerp(new THREE.Color(1, 1, 1), 0.45);
      this.tints.setXYZ(n, tint.r, tint.g, tint.b);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.tints.needsUpdate = true;
  }

  /** The joint whose bone is nearest to a point of a pane, if one is within reach. */
  at(camera: THREE.Camera, x: number, y: number, width: number, height: number, reach = 9): number | null {
    const seen = (p: THREE.Vector3) => {
      const v = p.clone().project(camera);
      return { x: ((v.x + 1) / 2) * width, y: ((1 - v.y) / 2) * height, z: v.z };
    };
    let best: { joint: number; score: number } | null = null;
    for (const { joint, head, tail } of this.segments) {
      const [a, b] = [seen(head), seen(tail)];
      if (a.z > 1 || b.z > 1) continue;
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const length = dx * dx + dy * dy;
      const t = length > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0;
      const away = Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
      if (away > reach) continue;
      const score = away + 4 * (a.z + t * (b.z - a.z));
      if (!best || score < best.score) best = { joint, score };
    }
    return best ? best.joint : null;
  }

  /** The joint whose head is nearest to a point of a pane, if one is within reach. */
  headAt(camera: THREE.Camera, x: number, y: number, width: number, height: number, reach = 11): number | null {
    let best: { joint: number; away: number } | null = null;
    for (const { joint, head } of this.segments) {
      const v = head.clone().project(camera);
      const away = Math.hypot(((v.x + 1) / 2) * width - x, ((1 - v.y) / 2) * height - y);
      if (v.z <= 1 && away <= reach && (!best || away < best.away)) best = { joint, away };
    }
    return best ? best.joint : null;
  }

  /** Where a joint is in the pose that is shown. */
  place(joint: number, world: Float64Array): THREE.Vector3 {
    return new THREE.Vector3(world[12 * joint + 9], world[12 * joint + 10], world[12 * joint + 11]);
  }
}

/** As thick as neighbours leave room for: two fifths of the distance to the nearest other joint, within a range. */
function widths(segments: Bones['segments']): number[] {
  const heads = segments.map((s) => s.head);
  const box = new THREE.Box3().setFromPoints(heads);
  const size = box.getSize(new THREE.Vector3()).length() || 1;
  const most = 0.035 * size;
  return segments.map((segment) => {
    let nearest = Infinity;
    for (const other of heads) {
      const away = other.distanceTo(segment.head);
      if (away > 1e-6 * size) nearest = Math.min(nearest, away);
    }
    return Math.min(most, Math.max(0.12 * most, 0.4 * nearest));
  });
}
