// The camera: orbit, pan and zoom by pointer and keys, always around what is looked at.

import * as THREE from 'three';

/** A camera whose lines of sight may be parallel. */
class StageCamera extends THREE.PerspectiveCamera {
  /** How tall the picture is, in the world's unit, if they are. */
  tall = 0;

  override updateProjectionMatrix(): void {
    super.updateProjectionMatrix();
    if (!this.tall) return;
    const [h, w] = [this.tall / 2, (this.tall / 2) * this.aspect];
    // What is nearer than the camera is seen too.
    this.projectionMatrix.makeOrthographic(-w, w, h, -h, -this.far, this.far, this.coordinateSystem);
    this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
  }
}

export class Orbit {
  readonly camera = new StageCamera(32, 1, 0.01, 100);
  readonly target = new THREE.Vector3(0, 1, 0);
  private yaw = 0.45;
  private pitch = 0.12;
  private distance = 4;
  private size = 1;
  /** Whether all is in view, and nobody has moved since. */
  framed = false;
  /** Whether rays are parallel. */
  flat = false;
  /** Whether they are because a view along an axis was asked for; to turn ends that. */
  private aligned = false;

  constructor() {
    this.place();
  }

  private place(): void {
    const { camera, target, distance, yaw, pitch, size } = this;
    camera.position.set(
      target.x + distance * Math.cos(pitch) * Math.sin(yaw),
      target.y + distance * Math.sin(pitch),
      target.z + distance * Math.cos(pitch) * Math.cos(yaw),
    );
    camera.near = Math.max(1e-3 * size, 0.02 * distance);
    camera.far = distance + 40 * size;
    camera.tall = this.flat ? 2 * distance * Math.tan((camera.fov * Math.PI) / 360) : 0;
    camera.lookAt(target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** Everything within a box; `fill` of the height is used. */
  frame(box: THREE.Box3, aspect: number, fill = 0.92): void {
    this.framed = false;
    const sphere = box.getSize(new THREE.Vector3());
    box.getCenter(this.target);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    // From any side: as wide as the longer of width and depth.
    const wide = Math.max(sphere.x, sphere.z);
    const needed = Math.max(sphere.y / 2, wide / 2 / Math.max(0.1, aspect)) / half / fill;
    this.distance = Math.max(needed + wide / 6, 1e-4);
    this.size = Math.max(sphere.length(), 1e-4);
    this.place();
  }

  orbit(dx: number, dy: number): void {
    if (this.aligned) this.flat = this.aligned = false;
    this.yaw -= dx * 0.008;
    this.pitch = Math.min(1.55, Math.max(-1.55, this.pitch + dy * 0.008));
    this.place();
  }

  pan(dx: number, dy: number, height: number): void {
    this.framed = false;
    const scale = (2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    this.place();
  }

  /** Closer (under 1) or further, towards a point on the screen in −1 to 1. */
  zoom(factor: number, x = 0, y = 0): void {
    this.framed = false;
    const before = this.onPlane(x, y);
    const least = 0.01 * this.size;
    this.distance = Math.min(60 * this.size, Math.max(least, this.distance * factor));
    this.place();
    this.target.add(before.sub(this.onPlane(x, y)));
    this.place();
  }

  private onPlane(x: number, y: number): THREE.Vector3 {
    const half = Math.tan((this.camera.fov * Math.PI) / 360) * this.distance;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    return this.target
      .clone()
      .addScaledVector(right, x * half * this.camera.aspect)
      .addScaledVector(up, y * half);
  }

  look(yaw: number, pitch: number): void {
    this.yaw = yaw;
    this.pitch = pitch;
    this.aligned = !this.flat || this.aligned;
    this.flat = true;
    this.place();
  }

  /** Parallel lines of sight, or not. */
  setFlat(flat: boolean): void {
    this.flat = flat;
    this.aligned = false;
    this.place();
  }

  setAspect(aspect: number): void {
    if (this.camera.aspect === aspect) return;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Pixels that a unit is tall at a depth. */
  pixelsPerUnit(depth: number, height: number): number {
    const at = this.flat ? this.distance : Math.max(1e-6, depth);
    return height / (2 * at * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  /** How far before the camera a place is. */
  depth(place: THREE.Vector3): number {
    return place.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new THREE.Vector3()));
  }

  /** The ray through a point of the screen in −1 to 1. */
  ray(x: number, y: number): { origin: THREE.Vector3; direction: THREE.Vector3 } {
    if (this.flat) {
      const direction = this.camera.getWorldDirection(new THREE.Vector3());
      const at = new THREE.Vector3(x, y, 0).unproject(this.camera);
      const back = at.clone().sub(this.camera.position).dot(direction) + 40 * this.size;
      return { origin: at.addScaledVector(direction, -back), direction };
    }
    const origin = this.camera.position.clone();
    const direction = new THREE.Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize();
    return { origin, direction };
  }
}
