// Records of run.mrw, read by the rules of docs/frame_format.md and nothing else.

export class DamagedRecord extends Error {}

export interface ArrayInfo {
  type: 'u16' | 'u32' | 'f32' | 'f64';
  components: number;
  count: number;
  offset: number;
}

export interface BodyInfo {
  name: string;
  kind: string;
  points: [number, number];
  triangles: [number, number];
  edges: [number, number];
  vertices: [number, number];
  tets: number;
  motion?: 'rest' | 'pose' | 'free'; // absent in version 1: free
  color?: string; // "#d08020"
  visible?: boolean;
  radius?: number; // of wires, loose points and surfaces [m]
  group?: string;
  ground?: boolean; // drawn as the ground
}

export interface SectionPlane {
  normal: [number, number, number]; // what lies on this side is left out
  offset: number; // normal · x on the plane, in the world [m]
  faces_camera: boolean; // the camera's side is left out, whatever the normal says
}

// How the scene asks to be shown.
export interface SceneView {
  side?: string;
  camera?: [number, number, number];
  target?: [number, number, number];
  hide?: string[];
  section?: SectionPlane;
  color?: string;
  theme?: 'light' | 'dark';
  overlays?: string[];
}

export interface TopologyHead {
  bodies: BodyInfo[];
  run_points: ArrayInfo;
  triangles: ArrayInfo;
  edges: ArrayInfo;
  vertices: ArrayInfo;
  view?: SceneView;
  rest?: ArrayInfo; // points of bodies at rest
  weights?: ArrayInfo; // of points that follow a pose, over four nodes
}

export interface OverlayInfo {
  name: string;
  points: ArrayInfo;
  radii?: ArrayInfo;
  segments?: ArrayInfo;
  slabs?: ArrayInfo;
  values?: ArrayInfo;
  bodies?: ArrayInfo;
}

export interface FrameHead {
  box: number[];
  boxes: ArrayInfo;
  positions: ArrayInfo;
  poses?: ArrayInfo;
  scalars: { name: string; min: number; max: number; bodies?: number[]; values: ArrayInfo }[];
  overlays: OverlayInfo[];
}

export interface Record<Head> {
  kind: string;
  step: number;
  time: number;
  head: Head;
  bytes: ArrayBuffer;
  arraysAt: number;
}

const kHeader = 32;
const kSummedHeader = 24;

function addUp(words: Uint32Array, first: number, last: number, sums: Int32Array) {
  let a = sums[0]!, b = sums[1]!;
  for (let i = first; i < last; ++i) {
    a = (a + words[i]!) | 0;
    b = (b + a) | 0;
  }
  sums[0] = a;
  sums[1] = b;
}

function isSound(bytes: ArrayBuffer, view: DataView): boolean {
  const words = new Uint32Array(bytes);
  const sums = new Int32Array([1, 0]);
  addUp(words, 0, kSummedHeader / 4, sums);
  addUp(words, kHeader / 4, words.length, sums);
  return sums[0]! >>> 0 === view.getUint32(24, true) && sums[1]! >>> 0 === view.getUint32(28, true);
}

export function parseRecord<Head>(bytes: ArrayBuffer, kind: 'TOPO' | 'FRAM'): Record<Head> {
  if (bytes.byteLength < kHeader + 8 || bytes.byteLength % 8 !== 0) throw new DamagedRecord('it is cut off');
  const view = new DataView(bytes);
  const found = String.fromCharCode(...new Uint8Array(bytes, 0, 4));
  if (found !== kind) throw new DamagedRecord('it is a record of another kind');
  if (Number(view.getBigUint64(16, true)) !== bytes.byteLength - kHeader) throw new DamagedRecord('it is cut off');
  if (!isSound(bytes, view)) throw new DamagedRecord('its checksum is wrong');
  const headSize = Number(view.getBigUint64(kHeader, true));
  const arraysAt = kHeader + 8 + headSize;
  if (arraysAt > bytes.byteLength) throw new DamagedRecord('its header is cut off');
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, kHeader + 8, headSize))) as Head;
  return { kind, step: view.getInt32(4, true), time: view.getFloat64(8, true), head, bytes, arraysAt };
}

const kTypes = { u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

// The array as a view of the record's bytes.
export function takeArray<T extends Uint16Array | Uint32Array | Float32Array | Float64Array>(
  record: { bytes: ArrayBuffer; arraysAt: number },
  info: ArrayInfo | undefined,
): T {
  if (!info) return new Float64Array(0) as T;
  const Type = kTypes[info.type];
  if (!Type) throw new DamagedRecord(`it has numbers of an unknown type (${info.type})`);
  const at = record.arraysAt + info.offset, length = info.count * info.components;
  if (at + length * Type.BYTES_PER_ELEMENT > record.bytes.byteLength) throw new DamagedRecord('an array is cut off');
  return new Type(record.bytes, at, length) as T;
}
