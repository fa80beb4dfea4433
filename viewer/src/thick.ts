// Surfaces with the radius that they have, each side as far out as others can come: sheets get a second side and rims,
// and where an edge is sharp, a band joins the two faces that move apart. Seen smooth, it looks as round as it is.
import type { BodyInfo } from './record';
import type { DrawnSurface } from './surface';

const kSeen = 0.002; // of the box's diagonal: what is thinner looks like a sheet anyway

export interface ThickSurface extends DrawnSurface {
  offsets: Float32Array; // of each vertex along its normal [m]
  bodies: BodyInfo[]; // with their ranges of triangles in this surface
}

function measureDiagonal(points: Float32Array, [first, count]: [number, number]): number {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 3 * first; i < 3 * (first + count); ++i) {
    low[i % 3] = Math.min(low[i % 3]!, points[i]!);
    high[i % 3] = Math.max(high[i % 3]!, points[i]!);
  }
  return Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
}

// The edges of these triangles that only one of them has, as pairs of corners in its order.
function findRim(corners: Uint32Array, pointOf: Uint32Array): [number, number][] {
  const open = new Map<string, [number, number] | null>();
  for (let h = 0; h < corners.length; ++h) {
    const a = corners[h]!, b = corners[h % 3 === 2 ? h - 2 : h + 1]!;
    const [p, q] = [pointOf[a]!, pointOf[b]!], key = p < q ? `${p},${q}` : `${q},${p}`;
    open.set(key, open.has(key) ? null : [a, b]);
  }
  return [...open.values()].filter((edge) => edge !== null);
}

interface Crease {
  a: [number, number]; // the vertices at one end: of the triangle that goes from a to b, and of the other
  b: [number, number];
}

// The edges that two triangles share, in opposite order, with vertices of their own.
function findCreases(corners: Uint32Array, pointOf: Uint32Array): Crease[] {
  const open = new Map<string, [number, number]>(), creases: Crease[] = [];
  for (let h = 0; h < corners.length; ++h) {
    const a = corners[h]!, b = corners[h % 3 === 2 ? h - 2 : h + 1]!, [p, q] = [pointOf[a]!, pointOf[b]!];
    const other = open.get(`${q},${p}`);
    if (!other) {
      open.set(`${p},${q}`, [a, b]);
      continue;
    }
    open.delete(`${q},${p}`);
    if (other[0] !== b || other[1] !== a) creases.push({ a: [a, other[1]], b: [b, other[0]] });
  }
  return creases;
}

// Triangles between the faces at creases, and at the corners where several creases end: flat until the faces move out.
function bandCreases(creases: Crease[], pointOf: Uint32Array): number[] {
  const corners: number[] = [], next = new Map<number, number>(); // around a point, from face to face
  for (const { a: [a1, a2], b: [b1, b2] } of creases) {
    if (b1 !== b2) corners.push(b1, a1, b2), next.set(b1, b2);
    if (a1 !== a2) corners.push(a1, a2, b2), next.set(a2, a1);
  }
  const done = new Set<number>();
  for (const start of next.keys()) {
    const ring: number[] = [];
    for (let v: number | undefined = start; v !== undefined && !done.has(v); v = next.get(v)) done.add(v), ring.push(v);
    const isClosed = ring.length > 2 && next.get(ring[ring.length - 1]!) === start && ring.every((v) => pointOf[v] === pointOf[start]);
    if (isClosed) for (let i = 1; i + 1 < ring.length; ++i) corners.push(start, ring[i]!, ring[i + 1]!);
  }
  return corners;
}

export function thicken(surface: DrawnSurface, bodies: BodyInfo[], points: Float32Array): ThickSurface {
  const isThick = ({ radius, points: range, triangles }: BodyInfo) => triangles[1] > 0 && (radius ?? 0) > kSeen * measureDiagonal(points, range);
  if (!bodies.some(isThick)) return { ...surface, offsets: new Float32Array(surface.pointOf.length), bodies };
  const corners: number[] = [], back: number[] = [], radii = new Map<number, number>(); // by vertex
  let count = surface.vertexCount;
  const changed = bodies.map((body) => {
    const own = surface.corners.subarray(3 * body.triangles[0], 3 * (body.triangles[0] + body.triangles[1]));
    const first = corners.length / 3;
    for (const corner of own) corners.push(corner);
    const thick = isThick(body), rim = thick ? findRim(own, surface.pointOf) : [];
    const bands = thick ? bandCreases(findCreases(own, surface.pointOf), surface.pointOf) : [];
    for (const corner of bands) corners.push(corner);
    if (thick) for (const corner of own) radii.set(corner, body.radius!);
    if (rim.length > 0) {
      const other = new Map<number, number>();
      for (const corner of own) {
        if (other.has(corner)) continue;
        other.set(corner, count);
        radii.set(count++, body.radius!);
        back.push(surface.pointOf[corner]!);
      }
      for (let t = 0; t < own.length; t += 3) corners.push(other.get(own[t]!)!, other.get(own[t + 2]!)!, other.get(own[t + 1]!)!);
      for (let t = 0; t < bands.length; t += 3) corners.push(other.get(bands[t]!)!, other.get(bands[t + 2]!)!, other.get(bands[t + 1]!)!);
      for (const [a, b] of rim) corners.push(a, other.get(a)!, b, b, other.get(a)!, other.get(b)!);
    }
    return { ...body, triangles: [first, corners.length / 3 - first] as [number, number] };
  });
  const { vertexCount } = surface, extra = surface.pointOf.subarray(vertexCount);
  const pointOf = Uint32Array.from([...surface.pointOf.subarray(0, vertexCount), ...back, ...extra]);
  const offsets = new Float32Array(pointOf.length);
  for (const [vertex, radius] of radii) offsets[vertex] = radius;
  return { pointOf, corners: Uint32Array.from(corners), vertexCount: count, offsets, bodies: changed };
}

// Moves the vertices along their normals.
export function offsetVertices(surface: ThickSurface, positions: Float32Array, normals: Float32Array) {
  surface.offsets.forEach((offset, v) => {
    if (offset === 0) return;
    for (let i = 3 * v; i < 3 * v + 3; ++i) positions[i]! += offset * normals[i]!;
  });
}
