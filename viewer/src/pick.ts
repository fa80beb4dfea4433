// What the pointer points at: the first triangle, wire or loose point on a ray, and where on it.
import * as THREE from 'three';
import type { FrameData, Prepared } from './frames';

export interface Picked {
  body: number;
  vertices: number[]; // one to three
  weights: number[];
  at: THREE.Vector3;
  distance: number;
}

const vertexAt = (positions: Float32Array, v: number, to: THREE.Vector3) => to.fromArray(positions, 3 * v);

// Where the vertices of something picked are in a frame.
export function placeOf(picked: { vertices: number[]; weights: number[] }, frame: FrameData): THREE.Vector3 {
  const sum = new THREE.Vector3(), one = new THREE.Vector3();
  picked.vertices.forEach((v, i) => sum.addScaledVector(vertexAt(frame.positions, v, one), picked.weights[i]!));
  return sum;
}

// A ray meets a triangle where o + t d = a + u (b − a) + v (c − a) (Möller and Trumbore 1997), from both sides.
function pickTriangles(ray: THREE.Ray, prepared: Prepared, body: number, p: Float32Array, best: Picked | null): Picked | null {
  const { corners } = prepared, [first, count] = prepared.bodies[body]!.triangles;
  const { x: ox, y: oy, z: oz } = ray.origin, { x: dx, y: dy, z: dz } = ray.direction;
  for (let t = 3 * first; t < 3 * (first + count); t += 3) {
    const a = 3 * corners[t]!, b = 3 * corners[t + 1]!, c = 3 * corners[t + 2]!;
    const ux = p[b]! - p[a]!, uy = p[b + 1]! - p[a + 1]!, uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!, vy = p[c + 1]! - p[a + 1]!, vz = p[c + 2]! - p[a + 2]!;
    const hx = dy * vz - dz * vy, hy = dz * vx - dx * vz, hz = dx * vy - dy * vx;
    const det = ux * hx + uy * hy + uz * hz;
    if (det === 0) continue;
    const sx = ox - p[a]!, sy = oy - p[a + 1]!, sz = oz - p[a + 2]!;
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    if (distance <= 0 || (best && distance >= best.distance)) continue;
    const vertices = [corners[t]!, corners[t + 1]!, corners[t + 2]!];
    best = { body, vertices, weights: [Math.max(0, 1 - u - v), u, v], at: ray.at(distance, new THREE.Vector3()), distance };
  }
  return best;
}

// Wires and points are picked from some pixels away. slack: how far at unit distance.
function pickThin(ray: THREE.Ray, prepared: Prepared, body: number, p: Float32Array, slack: number, best: Picked | null): Picked | null {
  const info = prepared.bodies[body]!, radius = info.radius ?? 0;
  const [a, b, onRay, onEdge] = [0, 1, 2, 3].map(() => new THREE.Vector3()) as [THREE.Vector3, THREE.Vector3, THREE.Vector3, THREE.Vector3];
  const take = (squared: number, vertices: number[], weights: number[], at: THREE.Vector3) => {
    const distance = ray.origin.distanceTo(at), reach = Math.max(radius, slack * distance);
    if (squared > reach * reach || (best && distance >= best.distance)) return;
    best = { body, vertices, weights, at: at.clone(), distance };
  };
  for (let e = info.edges[0]; e < info.edges[0] + info.edges[1]; ++e) {
    const i = prepared.lines[2 * e]!, j = prepared.lines[2 * e + 1]!;
    vertexAt(p, i, a), vertexAt(p, j, b);
    const squared = ray.distanceSqToSegment(a, b, onRay, onEdge), length = a.distanceTo(b);
    const share = length > 0 ? Math.min(1, onEdge.distanceTo(a) / length) : 0;
    take(squared, [i, j], [1 - share, share], onEdge);
  }
  for (let d = info.vertices[0]; d < info.vertices[0] + info.vertices[1]; ++d) {
    const v = prepared.dots[d]!;
    take(ray.distanceSqToPoint(vertexAt(p, v, a)), [v], [1], a);
  }
  return best;
}

// isMet: whether a body stops the ray.
export function pick(ray: THREE.Ray, prepared: Prepared, frame: FrameData, slack: number, isMet: (body: number) => boolean): Picked | null {
  let best: Picked | null = null;
  prepared.bodies.forEach((_, body) => {
    if (!isMet(body)) return;
    best = pickTriangles(ray, prepared, body, frame.positions, best);
    best = pickThin(ray, prepared, body, frame.positions, slack, best);
  });
  return best;
}
