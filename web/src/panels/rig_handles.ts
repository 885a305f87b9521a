// Handles on a bone, drawn as what they do: the end that stands for the joint, how far it attracts skin, how soft that ends.

import * as THREE from 'three';
import type { App } from '../app';
import { transform } from '../pose';
import type { EditCommand } from '../types';

const SVG = 'http://www.w3.org/2000/svg';
type Kind = 'range' | 'magnitude' | 'smoothness';
type Place = [number, number, number];

function drawn(tag: string, name: string): SVGElement {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute('class', name);
  return element;
}

/** What the script says of a joint's handles. */
export function handlesOf(script: EditCommand[], name: string): { offset: Place; magnitude: number; smoothness: number } {
  const found = { offset: [0, 0, 0] as Place, magnitude: 1, smoothness: 0 };
  for (const command of script) {
    if (command.joint !== name) continue;
    if (command.command === 'magnitude') found.magnitude = Number(command.value);
    if (command.command === 'smoothness') found.smoothness = Number(command.value);
    if (command.command === 'range') {
      const by = command.by as Place | undefined;
      found.offset = by ? (found.offset.map((x, c) => x + by[c]) as Place) : [0, 0, 0];
    }
  }
  return found;
}

export class RigHandles {
  private readonly root = document.createElementNS(SVG, 'svg');
  private readonly soft = drawn('path', 'handle-soft');
  private readonly radius = drawn('path', 'handle-radius');
  private readonly stalk = drawn('line', 'handle-stalk');
  private readonly knobs: Record<Kind, SVGElement>;
  private held: { kind: Kind; joint: string; from: THREE.Vector3; by: Place; value: number } | null = null;

  constructor(private readonly app: App) {
    this.root.setAttribute('class', 'rig-handles');
    this.root.setAttribute('aria-hidden', 'true'); // the sliders of the panel do the same
    const knob = (kind: Kind, title: string) => {
      const element = drawn(kind === 'range' ? 'rect' : 'circle', `handle-knob ${kind}`);
      const tip = document.createElementNS(SVG, 'title');
      tip.textContent = title;
      element.append(tip);
      element.addEventListener('pointerdown', (event) => this.take(kind, element, event));
      element.addEventListener('pointermove', (event) => this.move(event));
      element.addEventListener('pointerup', () => this.release());
      return element;
    };
    this.knobs = {
      range: knob('range', 'Range: what stands for the joint. Double-click puts it back.'),
      magnitude: knob('magnitude', 'Magnitude: how far it attracts skin'),
      smoothness: knob('smoothness', 'Smoothness: how soft that ends'),
    };
    this.knobs.range.addEventListener('dblclick', () => this.reset());
    this.root.append(this.soft, this.radius, this.stalk, this.knobs.smoothness, this.knobs.magnitude, this.knobs.range);
    app.viewer.root.append(this.root);
    app.viewer.rendered.push(() => this.draw());
    app.tab.on(() => app.viewer.draw());
    app.brushing.on(() => app.viewer.draw());
    app.standing.on(() => app.viewer.draw());
  }

  private get joint(): number | null {
    const { app } = this;
    const at = app.viewer.selected.value;
    const shown = app.tab.value === 'rig' && app.standing.value?.state.rig && app.viewer.look.layout === 'one' && !app.brushing.value;
    return shown && at !== null && app.scene.value?.joints[at]?.in_skin ? at : null;
  }

  private place(joint: number, at: Place): THREE.Vector3 {
    const { viewer, rig } = this.app;
    if (!rig) return new THREE.Vector3(...at);
    return new THREE.Vector3(...transform(viewer.worldFromJoints, 12 * joint, transform(rig.inverse, 12 * joint, at)));
  }

  /** The bone of a joint, its handle, and how far it attracts skin when nothing was changed. */
  private parts(joint: number) {
    const { scene, viewer } = this.app;
    const name = scene.value?.joints[joint].name ?? '';
    const own = handlesOf(this.app.standing.value?.state.rig?.script ?? [], name);
    if (this.held?.joint === name) {
      if (this.held.kind === 'range') own.offset = own.offset.map((x, c) => x + (this.held?.by[c] ?? 0)) as Place;
      else own[this.held.kind] = this.held.value;
    }
    const bind = scene.value?.joints[joint].bind ?? [];
    const at: Place = [bind[9], bind[10], bind[11]];
    const bone = scene.value?.bones.find((b) => b.joint === joint);
    const size = viewer.skin ? viewer.skin.box.max.distanceTo(viewer.skin.box.min) : 1;
    const tail: Place = bone?.tail ?? at;
    const length = Math.hypot(...tail.map((x, c) => x - at[c]));
    const usual = Math.min(0.06 * size, Math.max(0.015 * size, 0.3 * length));
    const handle = at.map((x, c) => x + own.offset[c]) as Place;
    return {
      name,
      own,
      usual,
      // Heat goes with the inverse square of the distance.
      radius: usual * Math.sqrt(own.magnitude),
      head: this.place(joint, at),
      handle: this.place(joint, handle),
      tail: this.place(joint, tail),
    };
  }

  private draw(): void {
    const joint = this.joint;
    this.root.toggleAttribute('hidden', joint === null);
    if (joint === null) return;
    const { orbit, panes } = this.app.viewer;
    const [width, height] = [panes[0].clientWidth, panes[0].clientHeight];
    const { own, radius, head, handle, tail } = this.parts(joint);
    const seen = (p: THREE.Vector3): [number, number] => {
      const v = p.clone().project(orbit.camera);
      return [((v.x + 1) / 2) * width, ((1 - v.y) / 2) * height];
    };
    const depth = orbit.depth(handle);
    const scale = orbit.pixelsPerUnit(depth, height);
    const [a, b, h] = [seen(handle), seen(tail), seen(head)];
    const inner = Math.max(10, radius * scale);
    const outer = inner * (1.12 + 0.9 * own.smoothness);
    this.radius.setAttribute('d', capsule(a, b, inner));
    this.soft.setAttribute('d', capsule(a, b, outer));
    this.soft.toggleAttribute('hidden', this.app.standing.value?.state.rig?.session.method !== 'heat');
    for (const [key, value] of Object.entries({ x1: h[0], y1: h[1], x2: a[0], y2: a[1] })) this.stalk.setAttribute(key, String(value));
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy) || 1;
    const side = [-dy / length, dx / length];
    const middle = [a[0] + 0.5 * dx, a[1] + 0.5 * dy];
    const put = (kind: 'magnitude' | 'smoothness', by: number) => {
      this.knobs[kind].setAttribute('cx', String(middle[0] + side[0] * by));
      this.knobs[kind].setAttribute('cy', String(middle[1] + side[1] * by));
      this.knobs[kind].setAttribute('r', '5');
    };
    put('magnitude', inner);
    put('smoothness', -outer);
    this.knobs.smoothness.toggleAttribute('hidden', this.app.standing.value?.state.rig?.session.method !== 'heat');
    const knob = this.knobs.range;
    for (const [key, value] of Object.entries({ x: a[0] - 5.5, y: a[1] - 5.5, width: 11, height: 11 })) knob.setAttribute(key, String(value));
    knob.setAttribute('transform', `rotate(45 ${a[0]} ${a[1]})`);
  }

  private take(kind: Kind, element: SVGElement, event: PointerEvent): void {
    const joint = this.joint;
    if (joint === null || event.button !== 0) return;
    event.stopPropagation();
    element.setPointerCapture(event.pointerId);
    if (this.app.rig) this.app.player?.hold(this.app.rig.rest);
    const { name, own, handle } = this.parts(joint);
    this.held = { kind, joint: name, from: handle, by: [0, 0, 0], value: kind === 'range' ? 0 : own[kind] };
  }

  private move(event: PointerEvent): void {
    const { held, app } = this;
    const joint = this.joint;
    if (!held || joint === null) return;
    const { orbit, panes } = app.viewer;
    const rect = panes[0].getBoundingClientRect();
    const [x, y] = [event.clientX - rect.left, event.clientY - rect.top];
    const u = (2 * x) / rect.width - 1;
    const v = 1 - (2 * y) / rect.height;
    const { usual, handle, tail, radius } = this.parts(joint);
    if (held.kind === 'range') {
      const { origin, direction } = orbit.ray(u, v);
      const ahead = orbit.camera.getWorldDirection(new THREE.Vector3());
      const t = held.from.clone().sub(origin).dot(ahead) / direction.dot(ahead);
      const to = origin.addScaledVector(direction, t).sub(held.from);
      held.by = to.toArray().map((n) => Number(n.toPrecision(6))) as Place;
    } else {
      const scale = orbit.pixelsPerUnit(orbit.depth(handle), rect.height);
      const away = distanceToLine([x, y], this.seen(handle, rect), this.seen(tail, rect));
      if (held.kind === 'magnitude') held.value = clamp(Math.pow(away / scale / usual, 2), 0.1, 5);
      else held.value = clamp((away / Math.max(10, radius * scale) - 1.12) / 0.9, 0, 1);
      held.value = Number(held.value.toFixed(3));
    }
    app.drag(app.bothSides(this.commands()));
    app.viewer.draw();
  }

  private seen(p: THREE.Vector3, rect: DOMRect): [number, number] {
    const v = p.clone().project(this.app.viewer.orbit.camera);
    return [((v.x + 1) / 2) * rect.width, ((1 - v.y) / 2) * rect.height];
  }

  private commands(): EditCommand[] {
    const { held } = this;
    if (!held) return [];
    if (held.kind === 'range') return [{ command: 'range', joint: held.joint, by: held.by }];
    return [{ command: held.kind, joint: held.joint, value: held.value }];
  }

  private release(): void {
    const { held, app } = this;
    if (!held) return;
    const commands = app.bothSides(this.commands());
    const moved = held.kind !== 'range' || Math.hypot(...held.by) > 0;
    const title = { range: 'Range', magnitude: 'Magnitude', smoothness: 'Smoothness' }[held.kind];
    void (moved ? app.edit(commands, `${title} of ${held.joint}`) : Promise.resolve()).then(() => {
      this.held = null;
      app.viewer.draw();
    });
  }

  private reset(): void {
    const joint = this.joint;
    const name = joint === null ? undefined : this.app.scene.value?.joints[joint].name;
    if (name) void this.app.edit(this.app.bothSides([{ command: 'range', joint: name }]), `Range of ${name} back`);
  }
}

/** The outline of all that is within a radius of a line. */
function capsule(a: [number, number], b: [number, number], r: number): string {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [(-dy / length) * r, (dx / length) * r];
  const p = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return [
    `M${p(a[0] + nx, a[1] + ny)}`,
    `A${r.toFixed(1)} ${r.toFixed(1)} 0 0 1 ${p(a[0] - nx, a[1] - ny)}`,
    `L${p(b[0] - nx, b[1] - ny)}`,
    `A${r.toFixed(1)} ${r.toFixed(1)} 0 0 1 ${p(b[0] + nx, b[1] + ny)}`,
    'Z',
  ].join('');
}

function distanceToLine(p: [number, number], a: [number, number], b: [number, number]): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const t = length > 0 ? clamp(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length, 0, 1) : 0;
  return Math.hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1]);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
