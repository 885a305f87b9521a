// The view: one character, drawn in one pane or two, only when something changed.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Frame } from '../frames';
import type { Player } from '../player';
import { Rig } from '../pose';
import { Signal } from '../signal';
import type { Scene, Shape } from '../types';
import { Attractors } from './attractors';
import { Bones } from './bones';
import { Ground } from './ground';
import { Orbit } from './orbit';
import { quaternion } from './palette';
import { Skin, type Coloring, type Shading, type Skinning } from './skin';
import { Voxels } from './voxels';

export type Layout = 'one' | 'rest' | 'split' | 'wipe';

export interface Look {
  shading: Shading;
  coloring: Coloring;
  skinning: Skinning;
  ramp: number;
  bones: boolean;
  layout: Layout;
  most: number;
  wipe: number;
}

export interface Events {
  turned: (joint: number, rotation: [number, number, number, number]) => void;
  released: () => void;
  drawn: () => void;
  beforeDraw: (seconds: number) => void;
  shaped: (at: number, shape: Shape, released: boolean) => void;
}

/** How much larger a loupe shows things. */
const LOUPE = 3;
/** How long the page's own code took for the last frames, in milliseconds. */
const KEPT_TIMES = 120;

export class Viewer {
  readonly canvas = document.createElement('canvas');
  readonly panes: [HTMLElement, HTMLElement];
  readonly orbit = new Orbit();
  readonly software: boolean;
  readonly selected = new Signal<number | null>(null);
  readonly hovered = new Signal<number | null>(null);
  readonly times: number[] = [];
  /** What is done after every frame. */
  readonly rendered: (() => void)[] = [];
  /** Where a loupe is held: what it looks at in −1 to 1, and its corner and side in pixels from below left. */
  loupe: { u: number; v: number; left: number; bottom: number; side: number } | null = null;
  frames = 0;
  look: Look = {
    shading: 'textured',
    coloring: 'surface',
    skinning: 'linear',
    ramp: 0,
    bones: true,
    layout: 'one',
    most: 4,
    wipe: 0.5,
  };
  skin: Skin | null = null;
  bones: Bones | null = null;
  rig: Rig | null = null;
  player: Player | null = null;
  readonly voxels = new Voxels();
  readonly attractors: Attractors;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly world = new THREE.Scene();
  private readonly over = new THREE.Scene();
  private readonly ground = new Ground();
  private readonly gizmo: TransformControls;
  private readonly handle = new THREE.Object3D();
  private readonly paths = new THREE.Group();
  private chosen: number[] = [];
  private readonly dots = new THREE.Points(
    new THREE.BufferGeometry(),
    new THREE.PointsMaterial({ color: '#ffd166', size: 4, sizeAttenuation: false, depthTest: false, transparent: true }),
  );
  private posed = new Float64Array(0);
  private rest = new Float64Array(0);
  private turning = false;
  private wanted = false;
  private last = 0;
  private first = false;
  private accent = new THREE.Color('#5b9dff');
  private holders = new Set<number>();
  private size = new THREE.Vector2(1, 1);

  constructor(
    readonly root: HTMLElement,
    private readonly events: Events,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.autoClear = false;
    this.renderer.setClearColor(0x000000, 0);
    const gl = this.renderer.getContext();
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
    this.software = /swiftshader|llvmpipe|software|basic render/i.test(name);
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(2, devicePixelRatio));
    const pane = () => Object.assign(document.createElement('div'), { className: 'pane' });
    this.panes = [pane(), pane()];
    root.append(this.canvas, ...this.panes);
    this.world.add(this.ground.mesh, this.voxels.group);
    this.gizmo = new TransformControls(this.orbit.camera, this.panes[0]);
    this.gizmo.setMode('rotate');
    this.gizmo.setSpace('local');
    this.gizmo.setSize(0.62);
    this.gizmo.setColors('#e0575b', '#5aa84f', '#4b8ee8', '#ffd166');
    this.attractors = new Attractors(
      this.orbit.camera,
      this.panes[0],
      (at, shape, released) => this.events.shaped(at, shape, released),
      () => this.draw(),
    );
    this.dots.frustumCulled = false;
    this.dots.renderOrder = 15;
    this.over.add(this.dots, this.gizmo.getHelper(), this.handle, this.paths, this.attractors.group, this.attractors.gizmo.getHelper());
    this.gizmo.addEventListener('objectChange', () => this.turnedHandle());
    this.gizmo.addEventListener('mouseUp', () => this.events.released());
    this.gizmo.addEventListener('change', () => this.draw());
    this.selected.on(() => {
      this.placeHandle();
      this.draw();
    });
    this.hovered.on(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(root);
    this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    this.canvas.addEventListener('webglcontextrestored', () => this.draw());
  }

  /** Whether a handle of the gizmo is under the pointer or held. */
  get gizmoBusy(): boolean {
    return this.attractors.busy || this.gizmo.dragging || (this.gizmo.object !== undefined && this.gizmo.axis !== null);
  }

  /** Shows a character; `again`: the same one with other joints, which stays where it is. */
  setScene(scene: Scene, mesh: Frame, player: Player, rig: Rig, again: boolean): void {
    this.clear();
    this.rig = rig;
    this.player = player;
    this.skin = new Skin(scene, rig, mesh);
    this.bones = new Bones(scene, rig);
    this.posed = new Float64Array(12 * rig.count);
    this.rest = new Float64Array(12 * rig.count);
    rig.world(rig.rest, this.rest);
    this.world.add(this.skin.group);
    this.over.add(this.bones.group);
    this.ground.fit(this.skin.box);
    this.selected.value = null;
    this.first = true;
    if (!again) this.frameAll();
  }

  /** Joints are elsewhere: bones are drawn anew, the skin goes on. */
  setJoints(scene: Scene, rig: Rig): void {
    if (!this.bones) return;
    this.over.remove(this.bones.group);
    this.bones.dispose();
    this.bones = new Bones(scene, rig);
    this.over.add(this.bones.group);
    rig.world(rig.rest, this.rest);
    this.draw();
  }

  private clear(): void {
    if (!this.skin || !this.bones) return;
    this.world.remove(this.skin.group);
    this.over.remove(this.bones.group);
    this.skin.dispose();
    this.bones.dispose();
    this.voxels.clear();
    this.attractors.clear();
    this.setPaths([]);
    this.gizmo.detach();
  }

  /** Looks again at which joints hold weight: bones of the others are drawn faintly. */
  findHolders(): void {
    this.holders = this.skin?.holders(0) ?? new Set();
    this.draw();
  }

  setTheme(accent: string, grid: string): void {
    // The bones' shader shows numbers as they are.
    this.accent.set(accent).convertLinearToSRGB();
    this.ground.tint(grid);
    this.draw();
  }

  change(look: Partial<Look>): void {
    Object.assign(this.look, look);
    if (!this.skin) return;
    if (look.shading) this.skin.shade(look.shading);
    if (look.skinning && look.skinning !== 'mush') this.skin.setMushed(null);
    if (look.layout) {
      this.resize();
      if (this.orbit.framed) this.frameAll();
    }
    this.draw();
  }

  frameAll(): void {
    if (!this.skin) return;
    this.orbit.frame(this.skin.box, this.aspect);
    this.orbit.framed = true;
    this.draw();
  }

  frameJoint(joint: number): void {
    const bones = this.bones?.segments.filter((s) => s.joint === joint);
    if (!bones?.length || !this.skin) return;
    const box = new THREE.Box3();
    for (const { head, tail } of bones) box.expandByPoint(head).expandByPoint(tail);
    const size = this.skin.box.getSize(new THREE.Vector3()).length();
    box.expandByScalar(0.07 * size);
    this.orbit.frame(box, this.aspect, 0.62);
    this.draw();
  }

  framePlace(place: THREE.Vector3, share = 0.12): void {
    if (!this.skin) return;
    const size = this.skin.box.getSize(new THREE.Vector3()).length();
    const box = new THREE.Box3().setFromCenterAndSize(place, new THREE.Vector3().setScalar(2 * share * size));
    this.orbit.frame(box, this.aspect, 0.8);
    this.draw();
  }

  frameBox(box: THREE.Box3): void {
    this.orbit.frame(box, this.aspect, 0.7);
    this.draw();
  }

  private get aspect(): number {
    const rect = this.panes[0].getBoundingClientRect();
    return rect.height > 0 ? rect.width / rect.height : 1;
  }

  /** Where joints are in the pose that is shown. */
  get worldFromJoints(): Float64Array {
    return this.posed;
  }

  private placeHandle(): void {
    const joint = this.selected.value;
    if (joint === null || !this.rig || this.rig.count === 0 || !this.turning) {
      this.gizmo.detach();
      return;
    }
    if (!this.gizmo.dragging) {
      const at = 12 * joint;
      const m = this.posed;
      this.handle.position.set(m[at + 9], m[at + 10], m[at + 11]);
      const columns = [0, 3, 6].map((c) => new THREE.Vector3(m[at + c], m[at + c + 1], m[at + c + 2]).normalize());
      const q = quaternion(columns.flatMap((c) => c.toArray()));
      this.handle.quaternion.set(...q);
      this.handle.updateMatrixWorld();
    }
    if (this.gizmo.object !== this.handle) this.gizmo.attach(this.handle);
  }

  /** Ways through the body, at rest; none to take them away. */
  setPaths(ways: { points: [number, number, number][]; color: [number, number, number] }[]): void {
    for (const line of this.paths.children as THREE.Line[]) {
      line.geometry.dispose();
      (line.material as THREE.Material).dispose();
    }
    this.paths.clear();
    for (const way of ways) {
      const geometry = new THREE.BufferGeometry().setFromPoints(way.points.map((p) => new THREE.Vector3(...p)));
      const material = new THREE.LineBasicMaterial({ color: new THREE.Color(...way.color), depthTest: false });
      const line = new THREE.Line(geometry, material);
      line.renderOrder = 20;
      this.paths.add(line);
    }
    this.draw();
  }

  /** Vertices that are chosen, as dots over the skin where it is at rest or posed. */
  setChosen(vertices: number[]): void {
    this.chosen = vertices;
    this.draw();
  }

  /** Puts the dots where the skin is. */
  private placeDots(): void {
    const dots = this.dots;
    dots.visible = this.chosen.length > 0 && !!this.skin;
    if (!dots.visible || !this.skin) return;
    const places = new Float32Array(3 * this.chosen.length);
    this.chosen.forEach((vertex, at) => places.set(this.skin?.posed(vertex, this.posed) ?? [0, 0, 0], 3 * at));
    dots.geometry.dispose();
    dots.geometry = new THREE.BufferGeometry();
    dots.geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
  }

  /** Whether joints can be turned by the rings. */
  setTurning(turning: boolean): void {
    this.turning = turning;
    this.placeHandle();
    this.draw();
  }

  private turnedHandle(): void {
    const joint = this.selected.value;
    if (joint === null || !this.rig || !this.gizmo.dragging) return;
    const parent = this.rig.parents[joint];
    const q = this.handle.quaternion.clone();
    if (parent >= 0) {
      const m = this.posed;
      const at = 12 * parent;
      const columns = [0, 3, 6].map((c) => new THREE.Vector3(m[at + c], m[at + c + 1], m[at + c + 2]).normalize());
      const above = new THREE.Quaternion(...quaternion(columns.flatMap((c) => c.toArray())));
      q.premultiply(above.invert());
    }
    q.normalize();
    this.events.turned(joint, [q.x, q.y, q.z, q.w]);
    this.draw();
  }

  private resize(): void {
    const { width, height } = this.root.getBoundingClientRect();
    if (width < 2 || height < 2) return;
    const two = this.look.layout === 'split' || this.look.layout === 'rest';
    this.panes[0].style.width = two ? '50%' : '100%';
    this.panes[1].style.display = two ? 'block' : 'none';
    this.size.set(Math.floor(width), Math.floor(height));
    this.renderer.setSize(this.size.x, this.size.y, false);
    this.draw();
  }

  /** Asks for a frame. */
  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.wanted = false;
    const start = performance.now();
    const elapsed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.player?.playing.value) {
      this.player.advance(elapsed);
      this.draw();
    }
    this.events.beforeDraw(elapsed);
    this.render();
    for (const then of this.rendered) then();
    this.times.push(performance.now() - start);
    if (this.times.length > KEPT_TIMES) this.times.shift();
    this.frames += 1;
    if (this.first && this.skin) {
      this.first = false;
      // The pixels are there after the next frame of the browser.
      requestAnimationFrame(() => this.events.drawn());
    }
  }

  private render(): void {
    const { renderer, size, look, skin, bones, rig, player } = this;
    renderer.setScissorTest(true);
    renderer.setViewport(0, 0, size.x, size.y);
    renderer.setScissor(0, 0, size.x, size.y);
    renderer.clear();
    if (!skin || !bones || !rig || !player) return;
    rig.world(player.pose, this.posed);
    this.placeDots();
    skin.color(look.coloring);
    skin.uniforms.ramp.value = look.ramp;
    skin.uniforms.most.value = look.most;
    skin.uniforms.selected.value = this.selected.value ?? -1;
    const half = Math.floor(size.x / 2);
    const skinning = look.skinning;
    if (look.layout === 'split' || look.layout === 'rest') {
      this.orbit.setAspect(half / size.y);
      this.pass({ x: 0, width: half, from: 0, to: half, slot: 0, world: this.posed, skinning, gizmo: true });
      const resting = look.layout === 'rest';
      this.pass({
        x: half,
        width: size.x - half,
        from: half,
        to: size.x,
        slot: resting ? 0 : 1,
        world: resting ? this.rest : this.posed,
        skinning: resting && skinning === 'mush' ? 'linear' : skinning,
        gizmo: false,
      });
    } else {
      this.orbit.setAspect(size.x / size.y);
      const border = look.layout === 'wipe' ? Math.round(size.x * look.wipe) : size.x;
      this.pass({ x: 0, width: size.x, from: 0, to: border, slot: 0, world: this.posed, skinning, gizmo: true });
      if (this.loupe) this.magnify(this.loupe);
      if (look.layout === 'wipe') {
        this.pass({ x: 0, width: size.x, from: border, to: size.x, slot: 1, world: this.posed, skinning, gizmo: false });
      }
    }
  }

  /** Draws what is around a point once more, larger. */
  private magnify(loupe: { u: number; v: number; left: number; bottom: number; side: number }): void {
    const { renderer, size, orbit } = this;
    const { camera } = orbit;
    const { left, bottom, side } = loupe;
    const kept = camera.projectionMatrix.clone();
    const nearer = new THREE.Matrix4().set(
      (LOUPE * size.x) / side, 0, 0, (-loupe.u * LOUPE * size.x) / side,
      0, (LOUPE * size.y) / side, 0, (-loupe.v * LOUPE * size.y) / side,
      0, 0, 1, 0,
      0, 0, 0, 1,
    );
    camera.projectionMatrix.premultiply(nearer);
    renderer.setViewport(left, bottom, side, side);
    renderer.setScissor(left, bottom, side, side);
    renderer.setClearColor(0x20262f, 1);
    renderer.clear();
    renderer.setClearColor(0x000000, 0);
    renderer.render(this.world, camera);
    renderer.clearDepth();
    renderer.render(this.over, camera);
    camera.projectionMatrix.copy(kept);
  }

  private pass(pass: {
    x: number;
    width: number;
    from: number;
    to: number;
    slot: number;
    world: Float64Array;
    skinning: Skinning;
    gizmo: boolean;
  }): void {
    const { renderer, size, skin, bones, look } = this;
    if (!skin || !bones || pass.to <= pass.from) return;
    renderer.setViewport(pass.x, 0, pass.width, size.y);
    renderer.setScissor(pass.from, 0, pass.to - pass.from, size.y);
    skin.uniforms.slot.value = pass.slot;
    skin.uniforms.skinning.value = ['linear', 'dual', 'mush'].indexOf(pass.skinning);
    skin.setPose(pass.world, pass.skinning);
    bones.group.visible = look.bones;
    bones.setPose(pass.world);
    bones.arrange(this.orbit.camera, this.selected.value, this.hovered.value, this.accent, this.holders);
    const helper = this.gizmo.getHelper();
    const other = this.attractors.gizmo.getHelper();
    if (pass.gizmo) this.placeHandle();
    const [shown, otherShown] = [helper.visible, other.visible];
    helper.visible = shown && pass.gizmo;
    other.visible = otherShown && pass.gizmo;
    renderer.render(this.world, this.orbit.camera);
    renderer.clearDepth();
    renderer.render(this.over, this.orbit.camera);
    helper.visible = shown;
    other.visible = otherShown;
    if (!pass.gizmo) bones.setPose(this.posed);
  }

  /** The picture as it is, for tests that look for a blank one. */
  pixels(): Uint8Array {
    this.render();
    const gl = this.renderer.getContext();
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  }
}
