// Loads records, checks and decodes them, away from the page's own thread.
import type { FrameData, OverlayData, Prepared, WorkerAnswer, WorkerRequest } from './frames';
import { DamagedRecord, parseRecord, takeArray, type FrameHead, type Record, type TopologyHead } from './record';
import { computeNormals, findParts, splitAtCreases } from './surface';
import { offsetVertices, thicken, type ThickSurface } from './thick';

interface Known {
  topology: Record<TopologyHead>;
  surface: ThickSurface;
  origin: [number, number, number];
}

let known: Known | null = null;

async function load(path: string): Promise<ArrayBuffer> {
  const response = await fetch(path);
  if (!response.ok) throw new Error((await response.text()).trim() || `${path}: ${response.status}`);
  return response.arrayBuffer();
}

// The points that follow poses: x = Σ w n over the body's four nodes.
function placeByWeights(weights: Float64Array, nodes: Float64Array, origin: number[], to: Float32Array) {
  for (let i = 0, w = 0; i < to.length; i += 3, w += 4) {
    for (let axis = 0; axis < 3; ++axis) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += weights[w + k]! * nodes[3 * k + axis]!;
      to[i + axis] = sum - origin[axis]!;
    }
  }
}

// The points that move freely: fractions of their body's box, or offsets from its lower corner.
function placeInBox(values: Uint16Array | Float32Array, box: Float64Array, origin: number[], to: Float32Array) {
  for (let axis = 0; axis < 3; ++axis) {
    const lower = box[axis]! - origin[axis]!;
    const scale = values instanceof Float32Array ? 1 : (box[3 + axis]! - box[axis]!) / 65535;
    for (let i = axis; i < to.length; i += 3) to[i] = lower + scale * values[i]!;
  }
}

// Positions of the points relative to the origin.
function decodePoints(topology: Record<TopologyHead>, frame: Record<FrameHead>, origin: number[]): Float32Array {
  const rest = takeArray<Float64Array>(topology, topology.head.rest);
  const weights = takeArray<Float64Array>(topology, topology.head.weights);
  const poses = takeArray<Float64Array>(frame, frame.head.poses);
  const boxes = takeArray<Float64Array>(frame, frame.head.boxes);
  const values = takeArray<Uint16Array | Float32Array>(frame, frame.head.positions);
  const points = new Float32Array(3 * topology.head.run_points.count);
  let resting = 0, weighted = 0, posed = 0, boxed = 0, free = 0; // how much of each list is used
  for (const { motion, points: [first, count] } of topology.head.bodies) {
    const to = points.subarray(3 * first, 3 * (first + count));
    if (motion === 'rest') {
      for (let i = 0; i < to.length; ++i) to[i] = rest[resting + i]! - origin[i % 3]!;
      resting += 3 * count;
    } else if (motion === 'pose') {
      placeByWeights(weights.subarray(weighted), poses.subarray(posed), origin, to);
      weighted += 4 * count;
      posed += 12;
    } else {
      placeInBox(values.subarray(free), boxes.subarray(boxed), origin, to);
      free += 3 * count;
      boxed += 6;
    }
  }
  if (values.length !== free || poses.length !== posed || rest.length !== resting || weights.length !== weighted) {
    throw new DamagedRecord('it has the wrong number of points');
  }
  return points;
}

// One value per point. Bodies that a field does not list have the value 0.
function decodeField(topology: TopologyHead, frame: Record<FrameHead>, field: FrameHead['scalars'][number]): Uint16Array {
  const values = takeArray<Uint16Array>(frame, field.values), count = topology.run_points.count;
  if (!field.bodies) {
    if (values.length !== count) throw new DamagedRecord('a field has the wrong number of values');
    return Uint16Array.from(values);
  }
  const all = new Uint16Array(count).fill(field.max > field.min ? Math.round((-field.min / (field.max - field.min)) * 65535) : 0);
  let taken = 0;
  for (const body of field.bodies) {
    const [first, length] = topology.bodies[body]!.points;
    all.set(values.subarray(taken, taken + length), first);
    taken += length;
  }
  if (taken !== values.length) throw new DamagedRecord('a field has the wrong number of values');
  return all;
}

function decodeOverlays(frame: Record<FrameHead>, origin: number[]): { [name: string]: OverlayData } {
  const overlays: { [name: string]: OverlayData } = {};
  for (const info of frame.head.overlays ?? []) {
    // Doubles are places in the world, floats are relative to the frame's box.
    const found = takeArray<Float64Array | Float32Array>(frame, info.points);
    const from = found instanceof Float32Array ? [0, 1, 2].map((axis) => origin[axis]! - (frame.head.box[axis] ?? 0)) : origin;
    overlays[info.name] = {
      points: Float32Array.from(found, (x, i) => x - from[i % 3]!),
      radii: Float32Array.from(takeArray<Float64Array>(frame, info.radii)),
      segments: Uint32Array.from(takeArray<Uint32Array>(frame, info.segments)),
      slabs: Uint32Array.from(takeArray<Uint32Array>(frame, info.slabs)),
      values: Float32Array.from(takeArray<Float64Array>(frame, info.values)),
      bodies: Uint32Array.from(takeArray<Uint32Array>(frame, info.bodies)),
    };
  }
  return overlays;
}

function decode(index: number, frame: Record<FrameHead>, { topology, surface, origin }: Known): FrameData {
  const points = decodePoints(topology, frame, origin);
  const positions = new Float32Array(3 * surface.pointOf.length);
  for (let v = 0; v < surface.pointOf.length; ++v) {
    const p = 3 * surface.pointOf[v]!;
    positions[3 * v] = points[p]!;
    positions[3 * v + 1] = points[p + 1]!;
    positions[3 * v + 2] = points[p + 2]!;
  }
  const normals = computeNormals(surface, positions);
  offsetVertices(surface, positions, normals);
  const scalars: FrameData['scalars'] = {};
  let bytes = positions.byteLength + normals.byteLength + 1000;
  for (const field of frame.head.scalars ?? []) {
    const values = decodeField(topology.head, frame, field);
    scalars[field.name] = { min: field.min, max: field.max, values };
    bytes += values.byteLength;
  }
  const overlays = decodeOverlays(frame, origin);
  for (const overlay of Object.values(overlays)) bytes += overlay.points.byteLength * 3;
  return { index, step: frame.step, time: frame.time, box: frame.head.box, positions, normals, scalars, overlays, bytes };
}

// The first frame that is not damaged.
async function loadFirstFrame(): Promise<{ first: number; frame: Record<FrameHead> }> {
  for (let first = 0; ; ++first) {
    try {
      return { first, frame: parseRecord<FrameHead>(await load(`/api/frame/${first}`), 'FRAM') };
    } catch (error) {
      if (!(error instanceof DamagedRecord) || first >= 9) throw error;
    }
  }
}

// The topology, made ready with the first frame.
async function prepare(): Promise<{ prepared: Prepared; frame: FrameData }> {
  const [topologyBytes, { first, frame }] = await Promise.all([load('/api/topology'), loadFirstFrame()]);
  const topology = parseRecord<TopologyHead>(topologyBytes, 'TOPO');
  const { head } = topology;
  const box = frame.head.box;
  const origin: [number, number, number] = [0, 1, 2].map((i) => (box[i]! + box[i + 3]!) / 2 || 0) as never;
  const points = decodePoints(topology, frame, origin);
  const edges = takeArray<Uint32Array>(topology, head.edges), dots = takeArray<Uint32Array>(topology, head.vertices);
  const extra = Uint32Array.from([...edges, ...dots]);
  const split = splitAtCreases(takeArray<Uint32Array>(topology, head.triangles), points, head.run_points.count, extra);
  const surface = thicken(split, head.bodies, points);
  known = { topology, surface, origin };
  const parts = findParts(takeArray<Uint32Array>(topology, head.triangles), edges, head.run_points.count, head.bodies);
  const prepared: Prepared = {
    bodies: surface.bodies,
    pointCount: head.run_points.count,
    runPoints: Uint32Array.from(takeArray<Uint32Array>(topology, head.run_points)),
    pointOf: surface.pointOf.slice(),
    surfaceVertices: surface.vertexCount,
    corners: surface.corners.slice(),
    lines: edges.map((_, i) => surface.vertexCount + i),
    dots: dots.map((_, i) => surface.vertexCount + edges.length + i),
    partOf: Uint16Array.from(surface.pointOf, (point) => parts[point]!),
    view: head.view ?? {},
    origin,
  };
  return { prepared, frame: decode(first, frame, known) };
}

function post(answer: WorkerAnswer) {
  const transfer: Transferable[] = [];
  if ('frame' in answer) transfer.push(answer.frame.positions.buffer, answer.frame.normals.buffer);
  if ('prepared' in answer) transfer.push(answer.prepared.pointOf.buffer, answer.prepared.corners.buffer);
  (self as unknown as Worker).postMessage(answer, transfer);
}

async function answer(request: WorkerRequest) {
  if (request.type === 'forget') {
    known = null;
    return;
  }
  try {
    if (request.type === 'prepare') return post({ id: request.id, ...(await prepare()) });
    const now = known;
    if (!now) throw new Error('the run is not loaded yet');
    const isHere = request.type === 'decode';
    const bytes = isHere ? request.bytes : await load(`/api/frame/${request.index}`);
    post({ id: request.id, frame: decode(isHere ? 0 : request.index, parseRecord<FrameHead>(bytes, 'FRAM'), now) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    post({ id: request.id, error: text, isDamage: error instanceof DamagedRecord || error instanceof SyntaxError });
  }
}

self.onmessage = (event: MessageEvent<WorkerRequest>) => void answer(event.data);
