// Surfaces ready to draw: vertices doubled where the surface has a sharp edge, and normals.

const kSliver = 0.03; // height over longest side
const kFlatCosine = Math.cos((3 * Math.PI) / 180);
const kCreaseCosine = Math.cos((38 * Math.PI) / 180);

export interface DrawnSurface {
  pointOf: Uint32Array; // of each vertex, the point it sits at
  corners: Uint32Array; // three vertices per triangle
  vertexCount: number; // of the surface; points of wires and loose points follow
}

function find(parents: Uint32Array, i: number): number {
  while (parents[i] !== i) {
    parents[i] = parents[parents[i]!]!;
    i = parents[i]!;
  }
  return i;
}

function unite(parents: Uint32Array, i: number, j: number) {
  const a = find(parents, i), b = find(parents, j);
  if (a < b) parents[b] = a;
  else parents[a] = b;
}

// Unit normals, and which triangles are too thin for theirs to mean anything.
function computeFaceNormals(triangles: Uint32Array, points: Float32Array): { normals: Float32Array; slivers: Uint8Array } {
  const normals = new Float32Array(triangles.length), slivers = new Uint8Array(triangles.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!, b = 3 * triangles[t + 1]!, c = 3 * triangles[t + 2]!;
    const ux = points[b]! - points[a]!, uy = points[b + 1]! - points[a + 1]!, uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!, vy = points[c + 1]! - points[a + 1]!, vz = points[c + 2]! - points[a + 2]!;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz,
      (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2);
    if (length < kSliver * longest) slivers[t / 3] = 1;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return { normals, slivers };
}

// Visits every edge that two triangles share, as half edges with their ends. Edges meet in a hash table of the half edges,
// keyed by the smaller point and chained.
function visitSharedEdges(
  triangles: Uint32Array, pointCount: number, visit: (h: number, next: number, other: number, otherNext: number) => void,
) {
  const firstAt = new Int32Array(pointCount).fill(-1), nextAt = new Int32Array(triangles.length);
  for (let h = 0; h < triangles.length; ++h) {
    const next = h - (h % 3) + ((h + 1) % 3), a = triangles[h]!, b = triangles[next]!;
    const low = Math.min(a, b), high = Math.max(a, b);
    for (let other = firstAt[low]!; other >= 0; other = nextAt[other]!) {
      const otherNext = other - (other % 3) + ((other + 1) % 3);
      if (Math.max(triangles[other]!, triangles[otherNext]!) === high) visit(h, next, other, otherNext);
    }
    nextAt[h] = firstAt[low]!;
    firstAt[low] = h;
  }
}

// Unites the corners of neighbours across every edge that is not sharp. The edges of a sliver are not, unless it lies in
// one plane with a neighbour, as in flat faces with many corners.
function uniteSmoothCorners(triangles: Uint32Array, normals: Float32Array, slivers: Uint8Array, pointCount: number): Uint32Array {
  const parents = new Uint32Array(triangles.length).map((_, i) => i);
  const cosine = (h: number, other: number) => {
    const t = h - (h % 3), u = other - (other % 3);
    return normals[t]! * normals[u]! + normals[t + 1]! * normals[u + 1]! + normals[t + 2]! * normals[u + 2]!;
  };
  const isBent = slivers.slice();
  visitSharedEdges(triangles, pointCount, (h, _, other) => {
    if (cosine(h, other) > kFlatCosine) isBent[Math.floor(h / 3)] = isBent[Math.floor(other / 3)] = 0;
  });
  visitSharedEdges(triangles, pointCount, (h, next, other, otherNext) => {
    if (cosine(h, other) < kCreaseCosine && !isBent[Math.floor(h / 3)] && !isBent[Math.floor(other / 3)]) return;
    const isSame = triangles[other] === triangles[h];
    unite(parents, h, isSame ? other : otherNext);
    unite(parents, next, isSame ? otherNext : other);
  });
  return parents;
}

// extra: points that are drawn though no triangle has them.
export function splitAtCreases(
  triangles: Uint32Array, points: Float32Array, pointCount: number, extra: Uint32Array,
): DrawnSurface {
  const { normals, slivers } = computeFaceNormals(triangles, points);
  const parents = uniteSmoothCorners(triangles, normals, slivers, pointCount);
  const corners = new Uint32Array(triangles.length);
  const pointOf = new Uint32Array(triangles.length + extra.length);
  let count = 0;
  for (let i = 0; i < corners.length; ++i) {
    const root = find(parents, i); // never after i
    if (root === i) {
      corners[i] = count;
      pointOf[count++] = triangles[i]!;
    } else {
      corners[i] = corners[root]!;
    }
  }
  pointOf.set(extra, count);
  return { pointOf: pointOf.slice(0, count + extra.length), corners, vertexCount: count };
}

// Which of the separate pieces of its body each point belongs to; all 0 where there is one piece, or very many.
export function findParts(
  triangles: Uint32Array, edges: Uint32Array, pointCount: number, bodies: { points: [number, number]; triangles: [number, number] }[],
): Uint16Array {
  const parents = new Uint32Array(pointCount).map((_, i) => i);
  for (let t = 0; t < triangles.length; t += 3) {
    unite(parents, triangles[t]!, triangles[t + 1]!);
    unite(parents, triangles[t]!, triangles[t + 2]!);
  }
  for (let e = 0; e < edges.length; e += 2) unite(parents, edges[e]!, edges[e + 1]!);
  const parts = new Uint16Array(pointCount);
  for (const { points: [first, count], triangles: surface } of bodies) {
    if (surface[1] === 0) continue;
    const numbers = new Map<number, number>();
    for (let p = first; p < first + count; ++p) {
      const root = find(parents, p);
      if (!numbers.has(root)) numbers.set(root, numbers.size);
      parts[p] = numbers.get(root)! % 65536;
    }
  }
  return parts;
}

// Area-weighted normals at the vertices.
export function computeNormals(surface: DrawnSurface, positions: Float32Array): Float32Array {
  const { corners } = surface;
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < corners.length; t += 3) {
    const a = 3 * corners[t]!, b = 3 * corners[t + 1]!, c = 3 * corners[t + 2]!;
    const ax = positions[a]!, ay = positions[a + 1]!, az = positions[a + 2]!;
    const ux = positions[b]! - ax, uy = positions[b + 1]! - ay, uz = positions[b + 2]! - az;
    const vx = positions[c]! - ax, vy = positions[c + 1]! - ay, vz = positions[c + 2]! - az;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    normals[a]! += x; normals[a + 1]! += y; normals[a + 2]! += z;
    normals[b]! += x; normals[b + 1]! += y; normals[b + 2]! += z;
    normals[c]! += x; normals[c + 1]! += y; normals[c + 2]! += z;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i]!, y = normals[i + 1]!, z = normals[i + 2]!;
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    normals[i] = x * scale;
    normals[i + 1] = y * scale;
    normals[i + 2] = z * scale;
  }
  return normals;
}

// Whether these triangles have two sides at every edge, and face outwards.
export function isClosed(
  surface: { corners: Uint32Array; pointOf: Uint32Array }, [first, count]: [number, number], positions: Float32Array,
): boolean {
  const open = new Map<number, number>(), size = surface.pointOf.length;
  let volume = 0;
  for (let h = 3 * first; h < 3 * (first + count); ++h) {
    const a = surface.pointOf[surface.corners[h]!]!, b = surface.pointOf[surface.corners[h % 3 === 2 ? h - 2 : h + 1]!]!;
    const key = Math.min(a, b) * size + Math.max(a, b);
    open.set(key, (open.get(key) ?? 0) + (a < b ? 1 : -1));
    if (h % 3 !== 0) continue;
    const [p, q, r] = [0, 1, 2].map((k) => positions.subarray(3 * surface.corners[h + k]!, 3 * surface.corners[h + k]! + 3)) as [Float32Array, Float32Array, Float32Array];
    volume += p[0]! * (q[1]! * r[2]! - q[2]! * r[1]!) + p[1]! * (q[2]! * r[0]! - q[0]! * r[2]!) + p[2]! * (q[0]! * r[1]! - q[1]! * r[0]!);
  }
  return volume > 0 && [...open.values()].every((sides) => sides === 0);
}

// Every edge of the surface once, as pairs of vertices.
export function listEdges(corners: Uint32Array, pointOf: Uint32Array, pointCount: number): Uint32Array {
  const firstAt = new Int32Array(pointCount).fill(-1), nextAt = new Int32Array(corners.length);
  const edges = new Uint32Array(2 * corners.length);
  let count = 0;
  for (let h = 0; h < corners.length; ++h) {
    const next = h % 3 === 2 ? h - 2 : h + 1;
    const a = pointOf[corners[h]!]!, b = pointOf[corners[next]!]!;
    const low = Math.min(a, b), high = Math.max(a, b);
    if (low === high) continue; // at a corner of a surface with a radius
    let other = firstAt[low]!;
    while (other >= 0 && pointOf[edges[other]!]! + pointOf[edges[other + 1]!]! !== low + high) other = nextAt[other / 2]!;
    if (other >= 0) continue;
    nextAt[count / 2] = firstAt[low]!;
    firstAt[low] = count;
    edges[count++] = corners[h]!;
    edges[count++] = corners[next]!;
  }
  return edges.slice(0, count);
}
