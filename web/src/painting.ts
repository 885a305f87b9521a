// Hands on the weights: a brush, a fill, a choice of vertices, and what they tell the server.

import type { App } from './app';
import { Signal } from './signal';

export type Mode = 'add' | 'replace' | 'scale' | 'relax';
export type Tool = 'brush' | 'fill' | 'select';

export interface Brush {
  tool: Tool;
  mode: Mode;
  /** What replace puts in place and scale multiplies with. */
  replace: number;
  scale: number;
  strength: number;
  /** Of the character's diagonal. */
  radius: number;
  /** How far a fill goes along the skin, of the diagonal. */
  fillReach: number;
  through: boolean;
  mirrored: boolean;
}

/** A row of the table. */
export interface TableRow {
  vertex: number;
  source_vertex: number;
  edited: number | null;
  influences: [number, number][];
}

const TITLES: Record<Mode, string> = { add: 'Add to', replace: 'Replace', scale: 'Scale', relax: 'Relax' };
/** Rays of one message at most; the server refuses more. */
const MOST_RAYS = 200;

type Ray = [number[], number[]];

export class Painting {
  readonly brush = new Signal<Brush>({
    tool: 'brush',
    mode: 'add',
    replace: 1,
    scale: 0.5,
    strength: 0.5,
    radius: 0.03,
    fillReach: Infinity,
    through: false,
    mirrored: false,
  });
  /** Vertices that tools and the table are for. */
  readonly chosen = new Signal<number[]>([]);
  readonly table = new Signal<TableRow[]>([]);
  readonly active = new Signal(false);
  copied: [number, number][] | null = null;
  /** How long stamps took on the server, for measuring. */
  readonly stamped: { milliseconds: number; rows: number; bytes: number }[] = [];
  private readonly ring = document.createElement('div');
  private rays: Ray[] = [];
  private last: [number, number] | null = null;
  private stroke: { mode: Mode; value: number } | null = null;
  private busy = false;
  private ended = false;
  private sizing: { x: number; y: number; radius: number; strength: number } | null = null;
  private pointer: [number, number] = [0, 0];
  private before: { coloring: string; bones: boolean } | null = null;
  private shownMode: Mode | null = null;

  constructor(private readonly app: App) {
    this.ring.className = 'brush-ring';
    this.ring.hidden = true;
    app.viewer.root.append(this.ring);
    app.standing.on(() => void this.fetch());
    app.scene.on(() => (this.chosen.value = []));
    this.chosen.on(() => {
      void this.fetch();
      app.viewer.setChosen(this.chosen.value);
    });
    this.brush.on(() => this.drawRing());
    const pane = app.viewer.panes[0];
    pane.addEventListener('pointermove', (event) => {
      const rect = pane.getBoundingClientRect();
      this.pointer = [event.clientX - rect.left, event.clientY - rect.top];
      this.drawRing();
    });
    pane.addEventListener('pointerleave', () => (this.ring.hidden = true));
    for (const kind of ['keydown', 'keyup'] as const) {
      addEventListener(kind, (event) => {
        if (event.key === 'Shift') this.drawRing(event.shiftKey);
      });
    }
  }

  change(change: Partial<Brush>): void {
    this.brush.value = { ...this.brush.value, ...change };
  }

  /** Takes the pointer over, or gives it back. */
  setActive(active: boolean): void {
    const { app } = this;
    if (active === this.active.value) return;
    this.active.value = active;
    if (active) {
      const look = app.viewer.look;
      this.before = { coloring: look.coloring, bones: look.bones };
      app.setLook({ coloring: 'joint', bones: false });
      app.brushing.value = {
        stamp: (x, y) => this.move(x, y),
        begin: (event) => this.begin(event),
        release: () => this.release(),
        done: () => (this.chosen.value = []),
      };
    } else {
      this.ring.hidden = true;
      app.brushing.value = null;
      if (this.before) app.setLook({ coloring: this.before.coloring as never, bones: this.before.bones });
    }
    app.viewer.setChosen(active ? this.chosen.value : []);
  }

  /** Larger or smaller; the strength instead of the radius. */
  step(up: boolean, strength: boolean): void {
    const { radius, strength: now } = this.brush.value;
    if (strength) this.change({ strength: clamp(Math.round(20 * (now + (up ? 0.05 : -0.05))) / 20, 0.05, 1) });
    else this.change({ radius: clamp(radius * (up ? 1.2 : 1 / 1.2), 0.003, 0.25) });
  }

  private get size(): number {
    const box = this.app.viewer.skin?.box;
    return box ? box.max.distanceTo(box.min) : 1;
  }

  private get joint(): number | null {
    return this.app.viewer.selected.value;
  }

  /** Pixels that the brush is wide, to every side. */
  private get pixels(): number {
    const { orbit, panes } = this.app.viewer;
    const place = this.app.picked.value?.place;
    const { origin, direction } = orbit.ray(0, 0);
    const depth = place && !this.brush.value.through ? new Vector(place).along(origin, direction) : orbit.target.distanceTo(origin);
    return this.brush.value.radius * this.size * orbit.pixelsPerUnit(depth, panes[0].clientHeight);
  }

  private drawRing(smooth = false): void {
    const shown = this.active.value && this.brush.value.tool !== 'fill';
    this.ring.hidden = !shown;
    if (!shown) return;
    const pixels = this.pixels;
    const [x, y] = this.sizing ? [this.sizing.x, this.sizing.y] : this.pointer;
    this.ring.style.width = this.ring.style.height = `${2 * pixels}px`;
    this.ring.style.left = `${x - pixels}px`;
    this.ring.style.top = `${y - pixels}px`;
    this.ring.style.setProperty('--strength', String(this.brush.value.strength));
    this.ring.dataset.mode = this.shownMode ?? (smooth ? 'relax' : this.brush.value.tool === 'select' ? 'select' : this.brush.value.mode);
  }

  /** Whether a pointer that goes down begins something here. */
  private begin(event: PointerEvent): boolean {
    const { app } = this;
    const { tool, mode, replace, scale } = this.brush.value;
    if (app.held.has('b')) {
      const { radius, strength } = this.brush.value;
      this.sizing = { x: this.pointer[0], y: this.pointer[1], radius, strength };
      return true;
    }
    if (tool === 'select') {
      if (!event.shiftKey) this.chosen.value = [];
      return true;
    }
    const smooth = event.shiftKey || mode === 'relax';
    if (!smooth && this.joint === null) {
      app.toast({ text: 'Select the joint to paint first: in the list, or hold S and click the skin.', kind: 'info' });
      return true;
    }
    const invert = event.ctrlKey || event.metaKey;
    const values: Record<Mode, number> = {
      add: invert ? -1 : 1,
      replace: invert ? 1 - replace : replace,
      scale: invert ? 1 / Math.max(0.01, scale) : scale,
      relax: 1,
    };
    const now = smooth ? 'relax' : mode;
    this.stroke = { mode: now, value: values[now] };
    this.shownMode = now;
    this.ended = false;
    this.last = null;
    return true;
  }

  private move(x: number, y: number): void {
    const { app } = this;
    if (this.sizing) {
      const dx = this.pointer[0] - this.sizing.x;
      const dy = this.pointer[1] - this.sizing.y;
      this.change({
        radius: clamp(this.sizing.radius * Math.exp(dx / 120), 0.003, 0.25),
        strength: clamp(this.sizing.strength - dy / 200, 0.05, 1),
      });
      return;
    }
    const tool = this.brush.value.tool;
    if (tool === 'select') {
      void this.choose(x, y);
      return;
    }
    if (tool === 'fill') {
      if (this.stroke && !this.last) void this.fill(x, y);
      this.last = [x, y];
      return;
    }
    if (!this.stroke) return;
    // Rays are never further apart than a third of the brush, however fast the pointer went.
    const pane = app.viewer.panes[0];
    const [w, h] = [pane.clientWidth / 2, pane.clientHeight / 2];
    const [lx, ly] = this.last ?? [x, y];
    const apart = Math.hypot((x - lx) * w, (y - ly) * h);
    const count = this.last ? Math.min(60, Math.ceil(apart / Math.max(3, this.pixels / 3))) : 1;
    for (let k = 1; k <= count; k++) {
      const { origin, direction } = app.viewer.orbit.ray(lx + ((x - lx) * k) / count, ly + ((y - ly) * k) / count);
      this.rays.push([origin.toArray(), direction.toArray()]);
    }
    this.last = [x, y];
    if (!this.busy) void this.send();
  }

  private wire(): Record<string, unknown> | null {
    if (!this.stroke) return null;
    const { strength, mirrored } = this.brush.value;
    return { mode: this.stroke.mode, joint: this.joint ?? 0, value: this.stroke.value, strength, mirrored };
  }

  private reach(): { radius: number; cone: number; through: boolean } {
    const { radius, through } = this.brush.value;
    const { orbit } = this.app.viewer;
    const world = radius * this.size;
    if (!through || orbit.flat) return { radius: world, cone: 0, through };
    return { radius: 0, cone: world / orbit.camera.position.distanceTo(orbit.target), through };
  }

  private async send(): Promise<void> {
    this.busy = true;
    while (this.rays.length > 0) {
      const rays = this.rays.splice(0, MOST_RAYS);
      const pose = this.app.player ? Array.from(this.app.player.pose) : null;
      const answer = await this.app.tell<{ milliseconds: number; rows: number; bytes: number }>({
        paint: { brush: this.wire(), rays, pose, ...this.reach() },
      });
      if (!answer) this.rays = [];
      else this.stamped.push({ ...answer, milliseconds: answer.milliseconds / rays.length });
    }
    this.busy = false;
    if (this.ended) await this.finish();
  }

  private release(): void {
    this.sizing = null;
    this.shownMode = null;
    this.drawRing();
    if (!this.stroke || this.brush.value.tool !== 'brush') {
      this.stroke = null;
      return;
    }
    this.ended = true;
    if (!this.busy) void this.finish();
  }

  private async finish(): Promise<void> {
    this.ended = false;
    const stroke = this.stroke;
    this.stroke = null;
    if (!stroke) return;
    const taken = await this.app.tell({ stroke: { label: this.label(stroke.mode) } }, true);
    // Another tab was faster: what this page painted is gone.
    if (!taken) await this.app.tell({ forget: {} });
  }

  private label(mode: Mode): string {
    const name = this.joint === null ? '' : (this.app.scene.value?.joints[this.joint]?.name ?? '');
    return mode === 'relax' ? 'Relax weights' : `${TITLES[mode]} ${name}`;
  }

  private async fill(x: number, y: number): Promise<void> {
    const brush = this.wire();
    const { origin, direction } = this.app.viewer.orbit.ray(x, y);
    const pose = this.app.player ? Array.from(this.app.player.pose) : null;
    const share = this.brush.value.fillReach;
    const reach = Number.isFinite(share) ? share * this.size : null;
    await this.app.tell({ fill: { brush, origin: origin.toArray(), direction: direction.toArray(), pose, reach } }, true);
  }

  private async choose(x: number, y: number): Promise<void> {
    const { origin, direction } = this.app.viewer.orbit.ray(x, y);
    const pose = this.app.player ? Array.from(this.app.player.pose) : null;
    const found = await this.app.tell<{ vertices: number[] }>({
      brush: { origin: origin.toArray(), direction: direction.toArray(), pose, ...this.reach() },
    });
    if (!found || found.vertices.length === 0) return;
    this.chosen.value = [...new Set([...this.chosen.value, ...found.vertices])].sort((a, b) => a - b);
  }

  private async fetch(): Promise<void> {
    const vertices = this.chosen.value;
    if (vertices.length === 0 || !this.app.standing.value?.slots[0]) {
      this.table.value = [];
      return;
    }
    this.table.value = (await this.app.tell<TableRow[]>({ rows: { vertices: vertices.slice(0, 2000) } })) ?? [];
  }

  /** A step by a tool on the layer: on what is chosen, or on all that was edited. */
  use(tool: string, options: Record<string, unknown>, label: string): Promise<unknown> {
    const vertices = this.chosen.value.length > 0 ? this.chosen.value : null;
    return this.app.tell({ hands: { tool: { [tool]: { vertices, ...options } }, label } }, true);
  }

  setShare(vertices: number[], joint: number, value: number): Promise<unknown> {
    const name = this.app.scene.value?.joints[joint]?.name ?? '';
    const tool = { share: { vertices, joint, value: clamp(value, 0, 1) } };
    return this.app.tell({ hands: { tool, label: `${name} ${value}` } }, true);
  }

  paste(): Promise<unknown> | null {
    if (!this.copied || this.chosen.value.length === 0) return null;
    const tool = { paste: { vertices: this.chosen.value, weights: this.copied } };
    return this.app.tell({ hands: { tool, label: 'Paste weights' } }, true);
  }

  /** Keeps the mean of what is chosen. */
  copy(): void {
    const sum = new Map<number, number>();
    for (const row of this.table.value) {
      for (const [joint, weight] of row.influences) sum.set(joint, (sum.get(joint) ?? 0) + weight / this.table.value.length);
    }
    this.copied = [...sum.entries()].sort((a, b) => b[1] - a[1]);
  }
}

class Vector {
  constructor(private readonly at: [number, number, number]) {}

  along(origin: { x: number; y: number; z: number }, direction: { x: number; y: number; z: number }): number {
    const [x, y, z] = this.at;
    return (x - origin.x) * direction.x + (y - origin.y) * direction.y + (z - origin.z) * direction.z;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
