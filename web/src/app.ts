// The page's state, and everything that it asks the server for.

import * as THREE from 'three';
import { Frame, Kind } from './frames';
import { Link } from './link';
import { Player } from './player';
import { Painting } from './painting';
import { Motion, Rig } from './pose';
import { Signal } from './signal';
import type {
  BindSettings, EditCommand, Ended, Extraction, LibraryItem, Other, Picked, Progress, Report, Rigged, Scene, Shape, Standing, State, Welcome, Written,
  WhichJoint,
} from './types';
import { Viewer, type Look } from './view/viewer';

export interface Toast {
  text: string;
  kind: 'info' | 'error' | 'done';
  action?: { title: string; run: () => void };
}

export const USUAL: BindSettings = {
  method: 'best',
  options: {},
  influences: 4,
  deform: [],
  prune: 0.001,
  regions: [],
  locks: { vertices: [], joints: [] },
};

export class App {
  readonly welcome = new Signal<Welcome | null>(null);
  readonly library = new Signal<LibraryItem[]>([]);
  readonly scene = new Signal<Scene | null>(null);
  readonly standing = new Signal<Standing | null>(null);
  readonly jobs = new Signal<Progress[]>([]);
  readonly lost = new Signal<{ message: string; final: boolean } | null>(null);
  readonly look = new Signal<Look | null>(null);
  readonly picked = new Signal<Picked | null>(null);
  readonly pinned = new Signal<Picked | null>(null);
  readonly report = new Signal<Report | null>(null);
  readonly tab = new Signal('bind');
  /** What strokes on the skin do, while a region is brushed. */
  readonly brushing = new Signal<{
    stamp: (x: number, y: number) => void;
    /** Whether it takes a pointer that goes down; without it, one without Alt and Shift. */
    begin?: (event: PointerEvent) => boolean;
    release?: () => void;
    done: (keep: boolean) => void;
  } | null>(null);
  /** What is done with a shape that the gizmo changed. */
  shaped: (at: number, shape: Shape, released: boolean) => void = () => undefined;
  /** Keys that are held. */
  readonly held = new Set<string>();
  readonly painting: Painting;
  readonly link: Link;
  readonly viewer: Viewer;
  player: Player | null = null;
  rig: Rig | null = null;
  maps = new Map<number, Float32Array>();
  toast: (toast: Toast) => void = () => undefined;
  /** The settings that the page shows; what was bound, with what was changed since. */
  draft: BindSettings = structuredClone(USUAL);
  readonly drafted = new Signal(0);
  /** How long sliders took on the server, in milliseconds, for measuring. */
  readonly tried: { milliseconds: number; rows: number; bytes: number }[] = [];
  /** How long drags of the rig took on the server, for measuring. */
  readonly dragged: { milliseconds: number; rows: number; bytes: number }[] = [];
  /** How often it was told who is whose partner. */
  readonly mirrored = new Signal(0);
  /** The joint that is selected once a scene has it. */
  toSelect: string | null = null;
  /** Whether edits of the rig are done on both sides. */
  mirrorEdits = false;
  private dragging: EditCommand[] | null = null;
  private dragBusy = false;
  private pending: Scene | null = null;
  private pictures = new Map<number, (bytes: Uint8Array<ArrayBuffer>) => void>();
  private trying: BindSettings | null = null;
  private busy = false;
  private mushing = false;
  private mushFor = '';
  private followed = '';

  constructor(root: HTMLElement) {
    this.viewer = new Viewer(root, {
      turned: (joint, rotation) => this.player?.turn(joint, rotation),
      released: () => this.keepPose(),
      drawn: () => {
        document.title = this.scene.value?.name ?? 'Ligament';
        document.documentElement.dataset.drawn = String(this.scene.value?.serial ?? 0);
        performance.mark('drawn');
      },
      beforeDraw: () => this.beforeDraw(),
      shaped: (at, shape, released) => this.shaped(at, shape, released),
    });
    this.link = new Link({
      welcome: (value) => {
        this.lost.value = null;
        this.welcome.value = value as Welcome;
        this.library.value = (value as Welcome).library;
      },
      message: (kind, value) => this.hear(kind, value),
      frame: (buffer) => this.frame(new Frame(buffer)),
      lost: (message, final) => {
        this.lost.value = { message, final };
        this.jobs.value = [];
      },
    });
    this.look.value = { ...this.viewer.look };
    this.painting = new Painting(this);
  }

  private hear(kind: string, value: unknown): void {
    if (kind === 'scene') {
      this.pending = value as Scene;
    } else if (kind === 'state') {
      this.stand(value as Standing);
    } else if (kind === 'joints') {
      this.moveJoints(value as Pick<Scene, 'serial' | 'joints' | 'bones'>);
    } else if (kind === 'progress') {
      const progress = value as Progress;
      this.jobs.value = [...this.jobs.value.filter((j) => j.job !== progress.job), progress];
    } else if (kind === 'ended') {
      const ended = value as Ended;
      this.jobs.value = this.jobs.value.filter((j) => j.job !== ended.job);
    } else if (kind === 'error') {
      this.toast({ text: String(value), kind: 'error' });
    }
  }

  private stand(standing: Standing): void {
    const before = this.standing.value;
    if (before?.serial !== standing.serial) this.report.value = null;
    if (standing.state.bind) this.draft = structuredClone(standing.state.bind);
    else if (before?.serial !== standing.serial) this.draft = structuredClone(USUAL);
    this.standing.value = standing;
    this.drafted.value += 1;
    this.player?.setState(standing.state.pose, standing.state.keys);
    if (before && JSON.stringify(before.state.rig) !== JSON.stringify(standing.state.rig)) this.player?.renew();
    if (!before?.slots[0] && standing.slots[0]) this.showClip();
    if (!standing.state.other && ['split', 'wipe'].includes(this.viewer.look.layout)) this.setLook({ layout: 'one' });
    if (!standing.state.other && this.viewer.look.coloring === 'difference') this.setLook({ coloring: 'surface' });
    this.viewer.draw();
  }

  private moveJoints(told: Pick<Scene, 'serial' | 'joints' | 'bones'>): void {
    const scene = this.scene.value;
    if (!scene || !this.rig || scene.serial !== told.serial) return;
    scene.joints = told.joints;
    scene.bones = told.bones;
    this.player?.shift(this.rig.moveTo(told.joints));
    this.viewer.setJoints(scene, this.rig);
    this.viewer.findHolders();
  }

  private frame(frame: Frame): void {
    if (frame.kind === Kind.Mesh && this.pending?.serial === frame.serial) {
      this.open(this.pending, frame);
      this.pending = null;
      return;
    }
    if (frame.kind === Kind.Thumbnail) {
      this.pictures.get(frame.a)?.(frame.bytes(frame.b).slice());
      this.pictures.delete(frame.a);
      return;
    }
    const skin = this.viewer.skin;
    if (!skin || frame.serial !== this.scene.value?.serial) return;
    if (frame.kind === Kind.Weights) skin.setWeights(frame);
    else if (frame.kind === Kind.Rows) skin.setRows(frame);
    else if (frame.kind === Kind.Texture) void this.decode(frame);
    else if (frame.kind === Kind.Clip) this.setClip(frame);
    else if (frame.kind === Kind.Map) this.maps.set(frame.a, frame.f32(frame.b));
    else if (frame.kind === Kind.Voxels) this.viewer.voxels.set(frame);
    else if (frame.kind === Kind.Mirror) skin.setMirror(frame);
    else if (frame.kind === Kind.Deformed && this.viewer.look.skinning === 'mush') skin.setMushed(frame);
    if (frame.kind === Kind.Weights || frame.kind === Kind.Rows) {
      this.mushFor = '';
      if (frame.a === 0 && !this.busy) this.viewer.findHolders();
    }
    this.viewer.draw();
  }

  private open(scene: Scene, mesh: Frame): void {
    const rig = new Rig(scene);
    const before = this.scene.value;
    // The same character with joints that came or went.
    const again = before?.name === scene.name && before.vertices === scene.vertices && this.standing.value?.history.length !== 1;
    const selected = this.viewer.selected.value;
    const name = this.toSelect ?? (again && selected !== null ? before.joints[selected]?.name : undefined);
    this.toSelect = null;
    this.rig = rig;
    this.player = new Player(rig, (clip) => void this.ask({ clip: { clip } }));
    this.player.source.on(() => this.viewer.draw());
    this.player.playing.on(() => this.viewer.draw());
    this.viewer.setScene(scene, mesh, this.player, rig, again);
    this.maps.clear();
    this.picked.value = null;
    this.pinned.value = null;
    const state = this.standing.value?.serial === scene.serial ? this.standing.value.state : null;
    if (state) this.player.setState(state.pose, state.keys);
    if (!again) this.setLook({ coloring: 'surface', layout: 'one', skinning: 'linear' });
    this.viewer.change(this.viewer.look);
    this.scene.value = scene;
    const found = scene.joints.findIndex((j) => j.name === name);
    if (found >= 0) this.select(found);
    // Who is whose partner among joints that came or went.
    if (again && this.mirrorEdits) void this.mirror();
    this.showClip();
  }

  /** Skin that is bound can move; bones alone would leave it behind. */
  private showClip(): void {
    if (this.tab.value === 'rig') return;
    const clips = this.scene.value?.clips.filter((c) => c.kind === 'file') ?? [];
    const state = this.standing.value;
    const bound = state?.serial === this.scene.value?.serial && !!state?.slots[0];
    if (bound && clips.length > 0 && state?.state.pose.length === 0) this.player?.choose({ clip: 0 });
  }

  private async decode(frame: Frame): Promise<void> {
    const bytes = frame.bytes(frame.b).slice();
    try {
      // A picture is decoded here and never shown by an address.
      const bitmap = await createImageBitmap(new Blob([bytes]), { imageOrientation: 'none' });
      const texture = new THREE.Texture(bitmap);
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.flipY = false;
      texture.colorSpace = THREE.NoColorSpace;
      texture.anisotropy = 4;
      texture.generateMipmaps = true;
      texture.minFilter = THREE.LinearMipmapLinearFilter;
      texture.needsUpdate = true;
      this.viewer.skin?.setTexture(frame.a, texture);
      this.viewer.draw();
    } catch {
      this.toast({ text: 'A picture of this character cannot be shown.', kind: 'info' });
    }
  }

  private setClip(frame: Frame): void {
    const step = frame.f32(1)[0];
    const joints = frame.u32(1)[0];
    const poses = frame.f32(frame.b * joints * 10);
    this.player?.setMotion(frame.a, new Motion(step, frame.b, poses));
  }

  setLook(look: Partial<Look>): void {
    if (look.coloring === 'symmetry' && this.viewer.skin && !this.viewer.skin.mirrored) void this.mirror();
    this.viewer.change(look);
    this.look.value = { ...this.viewer.look };
  }

  framePart(part: number): void {
    const skin = this.viewer.skin;
    const range = this.scene.value?.parts[part]?.vertices;
    if (!skin || !range) return;
    const box = new THREE.Box3();
    for (let v = range[0]; v < range[1]; v++) box.expandByPoint(new THREE.Vector3(...skin.place(v)));
    this.viewer.frameBox(box);
  }

  select(joint: number | null): void {
    this.viewer.selected.value = joint;
  }

  // What is asked for.

  private async ask<T>(command: Record<string, unknown>, step = false): Promise<T | null> {
    try {
      return await this.link.ask<T>(command, step ? this.standing.value?.revision : undefined);
    } catch (error) {
      const text = (error as Error).message;
      const plain = text.startsWith('cancelled');
      this.toast({ text: plain ? 'Cancelled; nothing was changed.' : sentence(text), kind: plain ? 'info' : 'error' });
      return null;
    }
  }

  /** Asks for what a part of the page alone knows of. */
  tell<T>(command: Record<string, unknown>, step = false): Promise<T | null> {
    return this.ask<T>(command, step);
  }

  keepHands(): Promise<Written | null> {
    return this.ask({ keep_hands: {} });
  }

  openItem(item: string): Promise<unknown> {
    return this.ask({ open: { item } });
  }

  async drop(files: File[]): Promise<void> {
    try {
      const items = await this.link.drop(files);
      const library = await this.ask<LibraryItem[]>({ library: {} });
      if (library) this.library.value = library;
      if (items.length === 0) {
        this.toast({ text: 'None of these files holds a mesh that can be opened.', kind: 'error' });
        return;
      }
      await this.openItem(items[items.length - 1]);
    } catch (error) {
      this.toast({ text: sentence((error as Error).message), kind: 'error' });
    }
  }

  bind(settings: BindSettings | null, label?: string): Promise<unknown> {
    return this.ask({ bind: label === undefined ? { settings } : { settings, label } }, true);
  }

  /** Shows what settings give while a slider moves; the latest wins. */
  try(settings: BindSettings): void {
    this.trying = structuredClone(settings);
    if (!this.busy) void this.tryOn();
  }

  private async tryOn(): Promise<void> {
    this.busy = true;
    while (this.trying) {
      const settings = this.trying;
      this.trying = null;
      const pose = follows(settings) && this.player ? Array.from(this.player.pose) : null;
      const answer = await this.ask<{ milliseconds?: number; rows: number; bytes: number; needs_bind?: boolean }>({
        try: { settings, pose },
      });
      if (answer?.milliseconds !== undefined) {
        this.tried.push({ milliseconds: answer.milliseconds, rows: answer.rows, bytes: answer.bytes });
      }
    }
    this.busy = false;
  }

  /** Takes what a slider shows as a step, or goes back. */
  async keep(settings: BindSettings, label?: string): Promise<void> {
    this.trying = null;
    await this.bind(settings, label);
  }

  cancel(job: number): Promise<unknown> {
    return this.ask({ cancel: { job } });
  }

  compare(other: Other | null): Promise<unknown> {
    return this.ask({ compare: { other } }, true);
  }

  go(step: number): Promise<unknown> {
    return this.ask({ go: { step } }, true);
  }

  undo(): void {
    const standing = this.standing.value;
    if (standing && standing.at > 0) void this.go(standing.at - 1);
  }

  redo(): void {
    const standing = this.standing.value;
    if (standing && standing.at + 1 < standing.history.length) void this.go(standing.at + 1);
  }

  private keepPose(): void {
    const joint = this.viewer.selected.value;
    const name = joint === null ? '' : (this.scene.value?.joints[joint].name ?? '');
    if (this.player) void this.setPose(this.player.turns, `Turn ${name}`);
  }

  setPose(turns: State['pose'], label: string): Promise<unknown> {
    return this.ask({ pose: { turns, label } }, true);
  }

  setKeys(keys: State['keys'], label: string): Promise<unknown> {
    return this.ask({ keys: { keys, label } }, true);
  }

  recover(accept: boolean): Promise<unknown> {
    return this.ask({ recover: { accept } });
  }

  why(vertex: number): Promise<Record<string, unknown> | null> {
    return this.ask({ why: { vertex } });
  }

  async check(range: boolean): Promise<void> {
    const report = await this.ask<Report>({ check: { range } });
    if (report) this.report.value = report;
  }

  export(format: string): Promise<Written | null> {
    return this.ask({ export: { format } });
  }

  bindOther(item: string, format: string): Promise<Written | null> {
    return this.ask({ bind_other: { item, format } });
  }

  save(): Promise<Written | null> {
    return this.ask({ save: {} });
  }

  newLink(): Promise<string | null> {
    return this.ask({ link: {} });
  }

  async voxels(): Promise<boolean> {
    return (await this.ask({ voxels: {} })) !== null;
  }

  /** Opens the same mesh on a skeleton that is found in it. */
  extract(how: Extraction): Promise<unknown> {
    const standard = how.template === 'found' ? {} : { template: how.template, names: how.names };
    return this.ask({ extract: { detail: how.detail, ...standard } });
  }

  setRig(rig: Rigged | null, label: string): Promise<unknown> {
    return this.ask({ rig: { rig, label } }, true);
  }

  /** A step: further edits of the rig. */
  async edit(commands: EditCommand[], label: string): Promise<void> {
    this.dragging = null;
    const rig = this.standing.value?.state.rig;
    if (rig) await this.setRig({ session: rig.session, script: [...rig.script, ...commands] }, label);
  }

  /** Shows edits while something is dragged; the latest wins. */
  drag(commands: EditCommand[]): void {
    this.dragging = commands;
    if (!this.dragBusy) void this.dragOn();
  }

  private async dragOn(): Promise<void> {
    this.dragBusy = true;
    while (this.dragging) {
      const script = this.dragging;
      this.dragging = null;
      const answer = await this.ask<{ milliseconds?: number; rows: number; bytes: number }>({ drag: { script } });
      if (answer?.milliseconds !== undefined) this.dragged.push(answer as { milliseconds: number; rows: number; bytes: number });
    }
    this.dragBusy = false;
  }

  /** Where a joint goes that is dragged to a point of the pane: into the middle of what is there. */
  async snap(x: number, y: number, whole: boolean): Promise<[number, number, number] | null> {
    const { origin, direction } = this.viewer.orbit.ray(x, y);
    const answer = await this.ask<[number, number, number] | { skipped: true } | null>({
      snap: { origin: origin.toArray(), direction: direction.toArray(), whole },
    });
    return Array.isArray(answer) ? answer : null;
  }

  /** For each joint that may hold weights whether it takes part, and why. */
  whichJoints(deform: string[]): Promise<WhichJoint[] | null> {
    return this.ask<WhichJoint[]>({ which_joints: { deform } });
  }

  /** The joint on the other side; itself in the middle. */
  partnerOf(joint: number): number | null {
    return this.viewer.skin?.partners?.[joint] ?? null;
  }

  /** Edits of a joint, and the same for its partner where both sides are edited. */
  bothSides(commands: EditCommand[]): EditCommand[] {
    const joints = this.scene.value?.joints ?? [];
    if (!this.mirrorEdits) return commands;
    const others = commands.flatMap((command) => {
      const at = joints.findIndex((j) => j.name === command.joint);
      const partner = at < 0 ? null : this.partnerOf(at);
      if (partner === null || partner === at) return [];
      const image = { ...command, joint: joints[partner].name };
      const to = command.to as [number, number, number] | undefined;
      // Across the plane that the two joints stand on either side of.
      const plane = (joints[at].bind[9] + joints[partner].bind[9]) / 2;
      if (to) return [{ ...image, to: [2 * plane - to[0], to[1], to[2]] }];
      const by = command.by as [number, number, number] | undefined;
      return [by ? { ...image, by: [-by[0], by[1], by[2]] } : image];
    });
    return [...commands, ...others];
  }

  /** Who mirrors whom, once for a character. */
  async mirror(): Promise<void> {
    const found = await this.ask<{ share: number }>({ mirror: {} });
    this.mirrored.value += 1;
    if (found && found.share < 0.5) {
      const words = found.share < 0.01 ? 'has no mirror images' : `has mirror images for ${Math.round(100 * found.share)} % of its vertices only`;
      this.toast({ text: `This character ${words}; the rest is hatched.`, kind: 'info' });
    }
  }

  /** A small picture of something that can be opened, or none. */
  async thumbnail(item: string): Promise<ImageBitmap | null> {
    const came = new Promise<Uint8Array<ArrayBuffer>>((done, failed) => {
      this.link
        .ask({ thumbnail: { item } }, undefined, (id) => this.pictures.set(id, done))
        .catch(failed);
    });
    try {
      return await createImageBitmap(new Blob([await came]));
    } catch {
      return null; // what cannot be drawn is listed by its name
    }
  }

  /** The vertices within a ball around what is under a point of a pane. */
  async brush(x: number, y: number, radius: number): Promise<{ vertices: number[]; source: number[] }> {
    const { origin, direction } = this.viewer.orbit.ray(x, y);
    const pose = this.player ? Array.from(this.player.pose) : null;
    const command = { brush: { origin: origin.toArray(), direction: direction.toArray(), pose, radius } };
    return (await this.ask<{ vertices: number[]; source: number[] }>(command)) ?? { vertices: [], source: [] };
  }

  /** What is under a point of a pane, in −1 to 1. */
  async pick(x: number, y: number, slot: number, resting: boolean): Promise<Picked | null> {
    const { origin, direction } = this.viewer.orbit.ray(x, y);
    const pose = this.player && !resting ? Array.from(this.player.pose) : null;
    const command = { pick: { origin: origin.toArray(), direction: direction.toArray(), pose, slot } };
    try {
      const picked = await this.link.ask<Picked & { skipped?: boolean }>(command);
      return picked?.skipped ? null : picked;
    } catch {
      return null; // the pointer moves on
    }
  }

  private beforeDraw(): void {
    const { player, viewer } = this;
    if (!player) return;
    player.update();
    if (viewer.look.skinning === 'mush' && !this.mushing && this.standing.value?.slots[0]) {
      const pose = Array.from(player.pose);
      const key = pose.join();
      if (key !== this.mushFor) {
        this.mushing = true;
        this.mushFor = key;
        void this.ask({ mush: { pose, slot: 0 } }).then(() => {
          this.mushing = false;
          viewer.draw();
        });
      }
    }
    const settings = this.standing.value?.state.bind;
    // Falloffs that follow a joint are found anew for every pose that can be had.
    if (settings && follows(settings) && !this.busy) {
      const key = player.pose.join();
      if (key !== this.followed) {
        this.followed = key;
        this.try(settings);
      }
    }
  }
}

export function follows(settings: BindSettings): boolean {
  return settings.regions.some((r) => typeof r.falloff === 'object' && r.falloff !== null);
}

export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
