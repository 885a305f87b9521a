// What server and page say to each other; docs/internals/studio.md explains it.

export const VERSION = 1;

export interface SceneJoint {
  name: string;
  parent: number | null;
  in_skin: boolean;
  bind: number[];
  rest: number[];
  color: [number, number, number];
  /** How far it bends, in degrees, and which ways. */
  moves: { axis: 'forward' | 'up' | 'outward' | 'twist'; from: number; to: number }[];
}

/** Whether a joint takes part in a bind. */
export interface WhichJoint {
  joint: number;
  takes_part: boolean;
  guessed: boolean;
  reason: string;
}

export interface SceneBone {
  joint: number;
  head: [number, number, number];
  tail: [number, number, number];
  stub: boolean;
}

export interface ScenePart {
  name: string;
  material: string;
  triangles: [number, number];
  vertices: [number, number];
  color: [number, number, number, number];
  double_sided: boolean;
  texture: number | null;
  carried_by: number | null;
}

export interface SceneClip {
  name: string;
  seconds: number;
  kind: 'file' | 'builtin' | 'range';
}

export interface Scene {
  serial: number;
  name: string;
  vertices: number;
  triangles: number;
  joints: SceneJoint[];
  bones: SceneBone[];
  parts: ScenePart[];
  clips: SceneClip[];
  has_weights: boolean;
  has_colors: boolean;
  has_uvs: boolean;
  warnings: string[];
}

export type VertexSet =
  | { part: string }
  | { material: string }
  | { sphere: { centre: number[]; radius: number } }
  | { vertices: number[] };

export interface Region {
  of: VertexSet;
  falloff?: number | { joint: string; rest: number; bent: number; angle: number } | null;
  drivers?: string[] | null;
}

export type Shape =
  | { point: { offset: [number, number, number] } }
  | { ball: { offset: [number, number, number]; radius: number } }
  | { box: { offset: [number, number, number]; half_extent: [number, number, number] } };

export interface ShapeOf {
  joint: string;
  shape: Shape;
}

export interface Painted {
  shape: { sphere: { centre: [number, number, number]; radius: number } };
  inside: boolean;
}

export interface MethodOptions {
  preset?: string | null;
  resolution?: number | string | null;
  falloff?: number | null;
  penalty?: number | null;
  power?: number | null;
  smoothing?: boolean | null;
  winding_numbers?: boolean | null;
  exclude_views?: string[];
  paint?: Painted[];
  shapes?: ShapeOf[];
  [other: string]: unknown;
}

export interface BindSettings {
  method: string;
  options: MethodOptions;
  influences: number;
  deform: string[];
  prune: number;
  regions: Region[];
  locks: { vertices: VertexSet[]; joints: string[] };
}

export type Other = { file: Record<string, never> } | { bind: BindSettings } | { item: string };

export interface Turn {
  joint: number;
  rotation: [number, number, number, number];
  translation: [number, number, number];
}

export interface Key {
  seconds: number;
  turns: Turn[];
}

/** An edit of the rig, as `ligament edit` reads it. */
export interface EditCommand {
  command: string;
  joint?: string;
  [other: string]: unknown;
}

export interface Rigged {
  session: { method: string; [other: string]: unknown };
  script: EditCommand[];
}

export interface State {
  bind: BindSettings | null;
  other: Other | null;
  pose: Turn[];
  keys: Key[];
  rig: Rigged | null;
  hands: { opacity: number; paused: boolean };
}

export interface Warning {
  message: string;
  joints: string[];
  part: string | null;
}

export interface Slot {
  name: string;
  max_influences: number;
  mean_influences: number;
  pending: boolean;
  stages: [string, number][];
  warnings: Warning[];
}

export interface Standing {
  serial: number;
  revision: number;
  state: State;
  history: string[];
  at: number;
  slots: [Slot | null, Slot | null];
  command: string | null;
  regions: string | null;
  edits: string | null;
  /** Points that were edited by hand. */
  edited: number;
  recovery: number | null;
}

export interface LibraryItem {
  id: string;
  name: string;
  kind: 'sample' | 'file' | 'dropped' | 'project';
  note: string;
}

export interface Welcome {
  version: number;
  ligament: string;
  library: LibraryItem[];
  formats: { ending: string; title: string }[];
  methods: { name: string; summary: string; falloff: boolean }[];
}

export interface Progress {
  job: number;
  kind: 'open' | 'bind' | 'check' | 'export';
  stage: string;
  share: number;
}

export interface Ended {
  job: number;
  kind: Progress['kind'];
  failed: string | null;
  cancelled: boolean;
}

export interface Picked {
  vertex: number;
  source_vertex: number;
  part: number | null;
  carried: boolean;
  place: [number, number, number];
  at: [number, number, number];
  influences: [number, number][];
}

export interface Finding {
  measure: string;
  value: string;
  limit: string;
  severity: number;
  verdict: 'sound' | 'suspect' | 'broken';
  meaning: string;
  map: number;
}

export interface Place {
  joint: number;
  name: string;
  verdict: 'suspect' | 'broken';
  measure: string;
  severity: number;
  vertex: number;
  frame: string | null;
  clip: number | null;
  seconds: number | null;
  pose: number[] | null;
  map: number;
}

export interface Report {
  headline: string;
  verdict: 'sound' | 'suspect' | 'broken';
  score: number;
  frames: number;
  from_clips: boolean;
  findings: Finding[];
  places: Place[];
  text: string;
}

export interface Written {
  name: string;
  path: string;
  bytes: number;
  ticket: string | null;
}

/** How a skeleton is found in a mesh: as it comes, or a standard one fitted to it. */
export interface Extraction {
  detail: number;
  template: 'found' | 'humanoid' | 'quadruped' | 'bird';
  names: 'vrm' | 'mixamo' | 'unreal' | 'unity' | 'rigify';
}
