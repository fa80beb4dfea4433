// Writes and changes files of frames by the rules of docs/frame_format.md, independently of the program.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const typeNames = new Map([[Uint16Array, 'u16'], [Uint32Array, 'u32'], [Float32Array, 'f32'], [Float64Array, 'f64']]);

class Arrays {
  parts = [];
  size = 0;

  add(values, components) {
    const bytes = Buffer.alloc(Math.ceil(values.byteLength / 8) * 8);
    Buffer.from(values.buffer, values.byteOffset, values.byteLength).copy(bytes);
    const info = { type: typeNames.get(values.constructor), components, count: values.length / components, offset: this.size };
    this.parts.push(bytes);
    this.size += bytes.length;
    return info;
  }
}

function makeRecord(kind, step, time, head, arrays) {
  let text = Buffer.from(JSON.stringify(head));
  text = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, ' ')]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const payload = Buffer.concat([size, text, ...arrays.parts]);
  const header = Buffer.alloc(32);
  header.write(kind, 0, 'latin1');
  header.writeInt32LE(step, 4);
  header.writeDoubleLE(time, 8);
  header.writeBigUInt64LE(BigInt(payload.length), 16);
  let a = 1, b = 0;
  for (const bytes of [header.subarray(0, 24), payload]) {
    for (let i = 0; i < bytes.length; i += 4) {
      a = (a + bytes.readUInt32LE(i)) >>> 0;
      b = (b + a) >>> 0;
    }
  }
  header.writeUInt32LE(a, 24);
  header.writeUInt32LE(b, 28);
  return Buffer.concat([header, payload]);
}

// A wavy sheet of n × n squares over a box-like obstacle, a wire and a loose point.
export class SampleRun {
  constructor(path, squares = 8) {
    this.path = path;
    this.squares = squares;
    const n = squares + 1, triangles = [];
    for (let i = 0; i < squares; ++i) {
      for (let j = 0; j < squares; ++j) {
        const a = i * n + j;
        triangles.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
      }
    }
    const sheet = n * n, arrays = new Arrays();
    this.pointCount = sheet + 3;
    const head = {
      bodies: [
        { name: 'sheet', kind: 'soft', points: [0, sheet], triangles: [0, triangles.length / 3], edges: [0, 0], vertices: [0, 0], tets: 0 },
        { name: 'wire', kind: 'affine', points: [sheet, 3], triangles: [triangles.length / 3, 0], edges: [0, 1], vertices: [0, 1], tets: 0 },
      ],
      run_points: arrays.add(Uint32Array.from({ length: sheet + 3 }, (_, i) => 2 * i), 1), // every other one is inside
      triangles: arrays.add(Uint32Array.from(triangles), 3),
      edges: arrays.add(Uint32Array.from([sheet, sheet + 1]), 2),
      vertices: arrays.add(Uint32Array.from([sheet + 2]), 1),
    };
    const start = Buffer.alloc(16);
    start.write('MARROWFR', 0, 'latin1');
    start.writeUInt32LE(1, 8);
    writeFileSync(path, Buffer.concat([start, makeRecord('TOPO', 0, 0, head, arrays)]));
  }

  // Positions of the frame of a step.
  points(step) {
    const points = new Float64Array(3 * this.pointCount), n = this.squares + 1;
    for (let i = 0; i < n * n; ++i) {
      const x = Math.floor(i / n) / this.squares, z = (i % n) / this.squares;
      points.set([2 * x - 1, 0.3 * Math.sin(5 * x + 0.4 * step) + 0.2 * z, 2 * z - 1], 3 * i);
    }
    points.set([1.2, 0, 0, 1.2, 1, 0, 1.4, 0.5, 0.1 * step], 3 * n * n);
    return points;
  }

  record(step) {
    const arrays = new Arrays(), world = this.points(step), sheet = (this.squares + 1) ** 2;
    const box = (first, last) => {
      const lower = [Infinity, Infinity, Infinity], upper = [-Infinity, -Infinity, -Infinity];
      for (let i = 3 * first; i < 3 * last; ++i) {
        lower[i % 3] = Math.min(lower[i % 3], world[i]);
        upper[i % 3] = Math.max(upper[i % 3], world[i]);
      }
      return [...lower, ...upper];
    };
    const boxes = [box(0, sheet), box(sheet, this.pointCount)];
    const fractions = world.map((x, i) => {
      const b = boxes[i < 3 * sheet ? 0 : 1], lower = b[i % 3], upper = b[3 + (i % 3)];
      return upper > lower ? Math.round(((x - lower) / (upper - lower)) * 65535) : 0;
    });
    const ramp = Uint16Array.from({ length: this.pointCount }, (_, i) => (65535 * i) / this.pointCount);
    const spot = Uint16Array.from({ length: this.pointCount }, (_, i) => (i % 7 === step % 7 ? 65535 : 0));
    const head = {
      box: box(0, this.pointCount),
      boxes: arrays.add(Float64Array.from(boxes.flat()), 6),
      positions: arrays.add(Uint16Array.from(fractions), 3),
      scalars: [
        { name: 'von_mises', min: 0, max: 2500, values: arrays.add(ramp, 1) },
        { name: 'contact_pressure', min: 0, max: 40, values: arrays.add(spot, 1) },
      ],
      overlays: [
        {
          name: 'medial', points: arrays.add(Float64Array.from([-0.6, 0.3, 0, 0.1, 0.35, 0, 0.6, 0.3, 0.4]), 3),
          radii: arrays.add(Float64Array.from([0.3, 0.15, 0.22]), 1), segments: arrays.add(Uint32Array.from([0, 1]), 2),
          slabs: arrays.add(Uint32Array.from([0, 1, 2]), 3),
        },
        { name: 'contacts', points: arrays.add(Float64Array.from([-0.5, 0, 0, -0.5, 0.4, 0, 0.2, 0.3, 0.5]), 3), segments: arrays.add(Uint32Array.from([0, 1]), 2) },
        { name: 'smallest_gap', points: arrays.add(Float64Array.from([0.5, 0.1, 0, 0.5, 0.5, 0]), 3), segments: arrays.add(Uint32Array.from([0, 1]), 2) },
        { name: 'joints', points: arrays.add(Float64Array.from([1.2, 0, 0]), 3) },
        { name: 'handles', points: arrays.add(Float64Array.from([-1, 0, -1, -1, 0.2, 1]), 3) },
      ],
    };
    return makeRecord('FRAM', step, 0.1 * step, head, arrays);
  }

  add(first, count) {
    for (let step = first; step < first + count; ++step) appendFileSync(this.path, this.record(step));
  }

  // Lines of metrics of the steps.
  static metrics(first, count) {
    const line = (step) => JSON.stringify({
      step, time: 0.1 * step, iterations: 3 + (step % 4), contacts: 10 * step, min_gap: 1e-3 / (1 + step),
      energy: { kinetic: 5 - 0.1 * step, elastic: 0.1 * step, gravity: 0.02 * step }, wall_time: 0.01,
    });
    return Array.from({ length: count }, (_, k) => `${line(first + k)}\n`).join('');
  }
}

// Changes one byte of the n-th frame.
export function damageFrame(path, frame) {
  const bytes = readFileSync(path);
  let at = 16, seen = -1;
  while (true) {
    const size = Number(bytes.readBigUInt64LE(at + 16));
    if (bytes.toString('latin1', at, at + 4) === 'FRAM' && ++seen === frame) {
      bytes[at + 32 + size - 16] ^= 0x10;
      writeFileSync(path, bytes);
      return;
    }
    at += 32 + size;
  }
}

// The points of a VTU file as the program writes it: appended, packed by zlib in chunks, doubles.
export function readVtuPoints(path) {
  const bytes = readFileSync(path), text = bytes.toString('latin1');
  const tag = text.match(/<Points>\s*<DataArray[^>]*offset="(\d+)"/);
  const start = text.indexOf('_', text.indexOf('<AppendedData')) + 1 + Number(tag[1]);
  const count = Number(bytes.readBigUInt64LE(start)), chunks = [];
  for (let chunk = 0, at = start + 24 + 8 * count; chunk < count; ++chunk) {
    const size = Number(bytes.readBigUInt64LE(start + 24 + 8 * chunk));
    chunks.push(inflateSync(bytes.subarray(at, at + size)));
    at += size;
  }
  const points = Buffer.concat(chunks);
  return Array.from({ length: points.length / 8 }, (_, i) => points.readDoubleLE(8 * i));
}
