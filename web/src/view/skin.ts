// The skin: geometry, weights and joints' matrices as textures, and the materials that read them.

import * as THREE from 'three';
import type { Frame } from '../frames';
import { transform, type Rig } from '../pose';
import type { Scene, ScenePart } from '../types';
import { Palette } from './palette';
import { ROW, fragment, vertex, wireFragment } from './shaders';

export type Coloring = 'surface' | 'joint' | 'joints' | 'influences' | 'difference' | 'map' | 'symmetry';
export const COLORINGS: Coloring[] = ['surface', 'joint', 'joints', 'influences', 'difference', 'map', 'symmetry'];
export type Shading = 'textured' | 'clay' | 'wire' | 'xray';
export type Skinning = 'linear' | 'dual' | 'mush';

/** Words of a vertex: eight influences. */
const WORDS = 8;

function weightsTexture(vertices: number): THREE.DataTexture {
  const lines = Math.max(1, Math.ceil(vertices / ROW));
  const data = new Uint32Array(lines * ROW * WORDS);
  const texture = new THREE.DataTexture(data, 2 * ROW, lines, THREE.RGBAIntegerFormat, THREE.UnsignedIntType);
  texture.internalFormat = 'RGBA32UI';
  texture.needsUpdate = true;
  return texture;
}

/** What has no material is not white, where light would leave no shape to see. */
const PLAIN: [number, number, number, number] = [0.52, 0.53, 0.56, 1];

function unsaid(part: ScenePart, scene: Scene): boolean {
  return part.texture === null && !scene.has_colors && part.color.every((c) => c > 0.999);
}

export class Skin {
  readonly group = new THREE.Group();
  readonly geometry = new THREE.BufferGeometry();
  readonly box = new THREE.Box3();
  readonly uniforms: Record<string, THREE.IUniform>;
  private readonly solid: THREE.Mesh;
  private readonly wire: THREE.Mesh;
  private readonly materials: THREE.RawShaderMaterial[] = [];
  private readonly weights: [THREE.DataTexture, THREE.DataTexture];
  private readonly joints: Palette;
  private readonly restPositions: Float32Array<ArrayBuffer>;
  private readonly restNormals: Float32Array<ArrayBuffer>;
  private readonly whole = [true, true];
  private mushed = false;
  /** Whether it is known who mirrors whom. */
  mirrored = false;
  /** For each joint its partner on the other side. */
  partners: (number | null)[] | null = null;
  /** Rows that came by the last frame of weights, for measuring. */
  rows = 0;

  constructor(
    private readonly scene: Scene,
    private readonly rig: Rig,
    mesh: Frame,
  ) {
    const vertices = mesh.a;
    this.restPositions = mesh.f32(3 * vertices);
    this.restNormals = mesh.f32(3 * vertices);
    const uvs = scene.has_uvs ? mesh.f32(2 * vertices) : new Float32Array(2 * vertices);
    const colors = scene.has_colors ? mesh.bytes(4 * vertices) : new Uint8Array(4 * vertices).fill(255);
    const corners = mesh.u32(3 * mesh.b);
    const geometry = this.geometry;
    geometry.setAttribute('position', new THREE.BufferAttribute(this.restPositions.slice(), 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(this.restNormals.slice(), 3));
    geometry.setAttribute('uv', new THREE.BufferAttribute(uvs, 2));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 4, true));
    geometry.setAttribute('map', new THREE.BufferAttribute(new Float32Array(vertices), 1));
    geometry.setAttribute('image', new THREE.BufferAttribute(new Float32Array(vertices).fill(-1), 1));
    geometry.setIndex(new THREE.BufferAttribute(corners, 1));
    this.box.setFromArray(this.restPositions);
    this.weights = [weightsTexture(vertices), weightsTexture(vertices)];
    this.weights.forEach((texture, slot) => {
      texture.onUpdate = () => {
        this.whole[slot] = false;
      };
    });
    this.joints = new Palette(rig);
    this.uniforms = {
      weightsA: { value: this.weights[0] },
      weightsB: { value: this.weights[1] },
      joints: { value: this.joints.texture },
      palette: { value: colorsTexture(scene) },
      slot: { value: 0 },
      skinning: { value: 0 },
      stretches: { value: 0 },
      coloring: { value: 0 },
      selected: { value: -1 },
      most: { value: 4 },
      mapScale: { value: 1 },
      ramp: { value: 0 },
      opacity: { value: 1 },
      textured: { value: 1 },
      clay: { value: new THREE.Color(0.52, 0.53, 0.55) },
      line: { value: new THREE.Vector4(0.05, 0.07, 0.1, 0.35) },
    };
    for (const [number, part] of scene.parts.entries()) {
      geometry.addGroup(3 * part.triangles[0], 3 * (part.triangles[1] - part.triangles[0]), number);
      this.materials.push(
        new THREE.RawShaderMaterial({
          glslVersion: THREE.GLSL3,
          vertexShader: vertex,
          fragmentShader: fragment,
          side: THREE.DoubleSide,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
          uniforms: {
            ...this.uniforms,
            base: { value: new THREE.Vector4(...(unsaid(part, scene) ? PLAIN : part.color)) },
            hasTexture: { value: 0 },
            picture: { value: null },
          },
        }),
      );
    }
    this.solid = new THREE.Mesh(geometry, this.materials);
    this.wire = new THREE.Mesh(
      geometry,
      new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: vertex,
        fragmentShader: wireFragment,
        wireframe: true,
        transparent: true,
        depthWrite: false,
        uniforms: this.uniforms,
      }),
    );
    for (const mesh of [this.solid, this.wire]) {
      mesh.frustumCulled = false; // the GPU moves it
      this.group.add(mesh);
    }
    this.wire.visible = false;
    this.shade('textured');
  }

  get vertices(): number {
    return this.scene.vertices;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
    (this.wire.material as THREE.Material).dispose();
    for (const texture of this.weights) texture.dispose();
    this.joints.texture.dispose();
  }

  setTexture(number: number, picture: THREE.Texture): void {
    this.scene.parts.forEach((part, at) => {
      if (part.texture !== number) return;
      const uniforms = this.materials[at].uniforms;
      uniforms.picture.value = picture;
      uniforms.hasTexture.value = 1;
    });
  }

  /** All weights of a slot. */
  setWeights(frame: Frame): void {
    const texture = this.weights[frame.a];
    const data = texture.image.data as unknown as Uint32Array;
    const width = frame.b;
    const words = frame.u32(this.vertices * width);
    data.fill(0);
    for (let v = 0; v < this.vertices; v++) {
      for (let k = 0; k < width; k++) data[WORDS * v + k] = words[width * v + k];
    }
    this.rows = this.vertices;
    this.whole[frame.a] = true;
    texture.clearUpdateRanges();
    texture.needsUpdate = true;
  }

  /** Some rows of a slot; lines of the texture that hold one of them go to the GPU. */
  setRows(frame: Frame): void {
    const texture = this.weights[frame.a];
    const data = texture.image.data as unknown as Uint32Array;
    const width = frame.b;
    const count = frame.u32(1)[0];
    const vertices = frame.u32(count);
    const words = frame.u32(count * width);
    const lines = new Set<number>();
    for (let r = 0; r < count; r++) {
      const at = WORDS * vertices[r];
      data.fill(0, at, at + WORDS);
      for (let k = 0; k < width; k++) data[at + k] = words[width * r + k];
      lines.add(Math.floor(vertices[r] / ROW));
    }
    this.rows = count;
    // While all of it waits to be uploaded, a part would take its place.
    if (!this.whole[frame.a]) {
      for (const line of lines) texture.addUpdateRange(line * ROW * WORDS, ROW * WORDS);
    }
    texture.needsUpdate = true;
  }

  /** The joints that hold weight in a slot. */
  holders(slot: number): Set<number> {
    const data = this.weights[slot].image.data as unknown as Uint32Array;
    const found = new Set<number>();
    for (let at = 0; at < WORDS * this.vertices; at++) if ((data[at] & 0xffff) !== 0) found.add(data[at] >>> 16);
    return found;
  }

  /** Who mirrors whom: vertices, and joints beside their colours. */
  setMirror(frame: Frame): void {
    const images = frame.u32(frame.a);
    const partners = frame.u32(frame.b);
    const image = this.geometry.getAttribute('image') as THREE.BufferAttribute;
    images.forEach((other, vertex) => image.setX(vertex, other === 0xffffffff ? -1 : other));
    image.needsUpdate = true;
    const palette = this.uniforms.palette.value as THREE.DataTexture;
    const data = palette.image.data as unknown as Float32Array;
    partners.forEach((other, joint) => (data[4 * joint + 3] = other === 0xffffffff ? joint : other));
    palette.needsUpdate = true;
    this.partners = Array.from(partners, (other) => (other === 0xffffffff ? null : other));
    this.mirrored = true;
  }

  setMap(numbers: Float32Array): void {
    const map = this.geometry.getAttribute('map') as THREE.BufferAttribute;
    (map.array as Float32Array).set(numbers);
    map.needsUpdate = true;
    // What is rare and large would leave all else dark: the hundredth that is largest is full.
    const sorted = Float32Array.from(numbers).sort();
    const top = sorted[Math.floor(0.995 * (sorted.length - 1))] || sorted[sorted.length - 1] || 1;
    this.uniforms.mapScale.value = 1 / top;
  }

  /** Positions and normals that the server found, or none to go back to those at rest. */
  setMushed(frame: Frame | null): void {
    if (!frame && !this.mushed) return;
    this.mushed = frame !== null;
    const { position, normal } = this.geometry.attributes as Record<string, THREE.BufferAttribute>;
    position.array.set(frame ? frame.f32(3 * this.vertices) : this.restPositions);
    normal.array.set(frame ? frame.f32(3 * this.vertices) : this.restNormals);
    position.needsUpdate = normal.needsUpdate = true;
  }

  setPose(world: Float64Array, skinning: Skinning): void {
    this.uniforms.stretches.value = this.joints.update(world, skinning === 'dual') ? 1 : 0;
  }

  color(coloring: Coloring): void {
    this.uniforms.coloring.value = COLORINGS.indexOf(coloring);
  }

  shade(shading: Shading): void {
    const xray = shading === 'xray';
    this.uniforms.textured.value = shading === 'clay' ? 0 : 1;
    this.uniforms.opacity.value = xray ? 0.32 : 1;
    this.wire.visible = shading === 'wire';
    this.materials.forEach((material, at) => {
      const glass = this.scene.parts[at].color[3] < 0.999;
      material.transparent = xray || glass;
      material.depthWrite = !xray;
      material.needsUpdate = true;
    });
  }

  /** Where a vertex is at rest. */
  /** Where a vertex is in a pose, by linear blending. */
  posed(vertex: number, world: Float64Array): [number, number, number] {
    const data = this.weights[0].image.data as unknown as Uint32Array;
    const rest = this.place(vertex);
    const place: [number, number, number] = [0, 0, 0];
    let sum = 0;
    for (let k = 0; k < WORDS; k++) {
      const word = data[WORDS * vertex + k];
      const share = (word & 0xffff) / 65535;
      if (share === 0) continue;
      const joint = word >>> 16;
      const moved = transform(world, 12 * joint, transform(this.rig.inverse, 12 * joint, rest));
      for (let c = 0; c < 3; c++) place[c] += share * moved[c];
      sum += share;
    }
    return sum > 0 ? place : rest;
  }

  place(vertex: number): [number, number, number] {
    const at = 3 * vertex;
    return [this.restPositions[at], this.restPositions[at + 1], this.restPositions[at + 2]];
  }
}

function colorsTexture(scene: Scene): THREE.DataTexture {
  const count = Math.max(1, scene.joints.length);
  const data = new Float32Array(4 * count);
  scene.joints.forEach((joint, j) => data.set([...joint.color, 1], 4 * j));
  const texture = new THREE.DataTexture(data, 1, count, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}
