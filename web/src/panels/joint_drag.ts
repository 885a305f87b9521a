// A joint that is dragged over the character at rest: into the middle of what is under the pointer.

import * as THREE from 'three';
import type { App } from '../app';

/** What a point of the pane shows on the plane that faces the camera through a place. */
export function atDepth(app: App, place: [number, number, number], u: number, v: number): [number, number, number] {
  const { origin, direction } = app.viewer.orbit.ray(u, v);
  const ahead = app.viewer.orbit.camera.getWorldDirection(new THREE.Vector3());
  const t = new THREE.Vector3(...place).sub(origin).dot(ahead) / direction.dot(ahead);
  return origin.addScaledVector(direction, t).toArray();
}

export class JointDrag {
  private readonly name: string;
  private readonly start: THREE.Vector3;
  private place: [number, number, number] | null = null;
  private readonly frame = Object.assign(document.createElement('div'), { className: 'loupe' });
  private busy = false;
  private over = false;
  private next: [number, number, boolean, boolean] | null = null;

  constructor(
    private readonly app: App,
    joint: number,
  ) {
    const scene = app.scene.value;
    const bind = scene?.joints[joint].bind ?? [];
    this.name = scene?.joints[joint].name ?? '';
    this.start = new THREE.Vector3(bind[9], bind[10], bind[11]);
    // Joints are put into the body where it is bound.
    if (app.rig) app.player?.hold(app.rig.rest);
  }

  /** To a point of the pane; `whole`: the middle of the whole body, `free`: as deep as the joint was. */
  move(u: number, v: number, whole: boolean, free: boolean): void {
    if (this.busy) {
      this.next = [u, v, whole, free];
      return;
    }
    this.busy = true;
    void this.to(u, v, whole, free).then(() => {
      this.busy = false;
      const next = this.next;
      this.next = null;
      if (next && !this.over) this.move(...next);
    });
  }

  private async to(u: number, v: number, whole: boolean, free: boolean): Promise<void> {
    // A view along an axis says two coordinates; the third stays.
    const inside = free || this.app.viewer.orbit.flat ? null : await this.app.snap(u, v, whole);
    const place = inside ?? atDepth(this.app, this.start.toArray(), u, v);
    const rounded = place.map((x) => Number(x.toPrecision(7))) as [number, number, number];
    if (this.over) return;
    this.place = rounded;
    this.app.drag(this.commands(rounded));
  }

  private commands(to: [number, number, number]) {
    return this.app.bothSides([{ command: 'move_joint', joint: this.name, to }]);
  }

  /** A loupe beside the pointer, at a place of the pane in pixels. */
  look(x: number, y: number, width: number, height: number): void {
    const { viewer } = this.app;
    const side = 132;
    const left = Math.min(Math.max(8, x - side - 36), width - side - 8);
    const top = y - side - 36 > 52 ? y - side - 36 : y + 36;
    viewer.loupe = { u: (2 * x) / width - 1, v: 1 - (2 * y) / height, left, bottom: height - top - side, side };
    Object.assign(this.frame.style, { left: `${left}px`, top: `${top}px`, width: `${side}px`, height: `${side}px` });
    if (!this.frame.isConnected) viewer.root.append(this.frame);
    viewer.draw();
  }

  /** One step for the whole drag. */
  release(): void {
    this.over = true;
    this.app.viewer.loupe = null;
    this.frame.remove();
    this.app.viewer.draw();
    if (this.place) void this.app.edit(this.commands(this.place), `Move ${this.name}`);
  }
}
