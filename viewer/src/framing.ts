// Where the camera stands so that the bodies fill the picture, and what of the scene is the ground.
import * as THREE from 'three';
import type { FrameData, Prepared } from './frames';

export const kFieldOfView = 32; // [degrees]
const kMargin = 0.88; // of the picture's half, that the bodies may fill
const kLeastFill = 0.42; // that obstacles taken into the picture must leave to the bodies
const kRoom = 0.68; // of that, where an obstacle beside the bodies is too large for the picture: some of it is seen
const kPoints = 20000; // looked at per frame

export const sides: { [name: string]: [number, number, number] } = {
  corner: [0.55, 0.38, 1], front: [0, 0.05, 1], back: [0, 0.05, -1], left: [-1, 0.05, 0], right: [1, 0.05, 0], top: [0, 1, 0.001],
};
// Tried in this order if the scene and the person say nothing.
export const corners: [number, number, number][] = [[0.55, 0.38, 1], [-0.55, 0.38, 1], [1, 0.38, -0.55], [-0.55, 0.38, -1]];

export interface BodyPoints {
  body: number;
  isSubject: boolean;
  points: Float32Array; // some of its points, over the frames
  box: THREE.Box3;
}

// Vertices of each body: those of its surface, then those of its wires and loose points.
export function listVertices(prepared: Prepared): number[][] {
  const bodyOfPoint = new Uint32Array(prepared.pointCount);
  prepared.bodies.forEach((body, b) => bodyOfPoint.fill(b, body.points[0], body.points[0] + body.points[1]));
  const result: number[][] = prepared.bodies.map(() => []);
  prepared.pointOf.forEach((point, v) => result[bodyOfPoint[point]!]!.push(v));
  return result;
}

// The visible bodies with their places in these frames. The subject is what is no obstacle, or all if all are.
export function gatherBodies(prepared: Prepared, isVisible: boolean[], frames: FrameData[]): BodyPoints[] {
  const vertices = listVertices(prepared);
  const total = vertices.reduce((sum, list, b) => sum + (isVisible[b] ? list.length : 0), 0);
  const stride = Math.max(1, Math.floor(total / kPoints));
  const isObstacle = (b: number) => prepared.bodies[b]!.kind === 'obstacle';
  const hasSubject = prepared.bodies.some((_, b) => isVisible[b] && !isObstacle(b) && vertices[b]!.length > 0);
  const result: BodyPoints[] = [];
  vertices.forEach((list, b) => {
    if (!isVisible[b] || list.length === 0) return;
    const kept = list.filter((_, i) => i % stride === 0 || list.length < 64), places: number[] = [];
    const box = new THREE.Box3(), at = new THREE.Vector3();
    for (const { positions } of frames) {
      for (const v of list) box.expandByPoint(at.fromArray(positions, 3 * v));
      for (const v of kept) places.push(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
    }
    result.push({ body: b, isSubject: !isObstacle(b) || !hasSubject, points: Float32Array.from(places), box });
  });
  return result;
}

// Without the few that are far away from all others: what fell off must not shrink the rest to a dot.
export function dropStrays(bodies: BodyPoints[]): BodyPoints[] {
  const subjects = bodies.filter((body) => body.isSubject);
  if (subjects.length < 3) return bodies;
  const middle = [0, 1, 2].map((axis) => {
    const places = subjects.map((body) => body.box.getCenter(new THREE.Vector3()).getComponent(axis)).sort((a, b) => a - b);
    return places[places.length >> 1]!;
  });
  const centre = new THREE.Vector3(...middle);
  const reach = (body: BodyPoints) => body.box.getCenter(new THREE.Vector3()).distanceTo(centre) + body.box.getSize(new THREE.Vector3()).length() / 2;
  const sorted = [...subjects].sort((a, b) => reach(a) - reach(b));
  const most = Math.max(1, Math.floor(subjects.length / 5)); // so many may be left out
  const limit = 4 * reach(sorted[sorted.length - 1 - most]!);
  return bodies.filter((body) => !body.isSubject || reach(body) <= limit);
}

export interface Fit {
  position: THREE.Vector3;
  target: THREE.Vector3;
  fill: number; // the subject's larger share of the picture's width and height
  box: THREE.Box3; // of what the picture shows
}

// The nearest place from which all points are within the picture. A point (x, y, z), z towards the camera, is
// within its width if |x − cx| ≤ w (d − z), w the tangent of half the angle: four linear bounds on cx, cy and d.
function fitPoints(lists: Float32Array[], axes: THREE.Vector3[], wide: number, tall: number) {
  const most = [-Infinity, -Infinity, -Infinity, -Infinity];
  let nearest = -Infinity, farthest = Infinity;
  for (const points of lists) {
    for (let i = 0; i < points.length; i += 3) {
      const [px, py, pz] = [points[i]!, points[i + 1]!, points[i + 2]!];
      const [x, y, z] = axes.map((axis) => axis.x * px + axis.y * py + axis.z * pz) as [number, number, number];
      most[0] = Math.max(most[0]!, x + wide * z);
      most[1] = Math.max(most[1]!, -x + wide * z);
      most[2] = Math.max(most[2]!, y + tall * z);
      most[3] = Math.max(most[3]!, -y + tall * z);
      nearest = Math.max(nearest, z);
      farthest = Math.min(farthest, z);
    }
  }
  const [right, left, up, down] = most as [number, number, number, number];
  const distance = Math.max((right + left) / (2 * wide), (up + down) / (2 * tall), nearest + 1e-3 * (nearest - farthest) + 1e-9);
  return { x: (right - left) / 2, y: (up - down) / 2, distance, nearest, farthest };
}

// The larger share of the picture's width and height that the points take.
export function measureFill(lists: Float32Array[], camera: THREE.PerspectiveCamera): number {
  camera.updateMatrixWorld();
  const at = new THREE.Vector3(), low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  for (const points of lists) {
    for (let i = 0; i < points.length; i += 3) {
      at.fromArray(points, i).applyMatrix4(camera.matrixWorldInverse);
      if (at.z >= -camera.near) continue;
      at.applyMatrix4(camera.projectionMatrix);
      low[0] = Math.min(low[0]!, at.x);
      low[1] = Math.min(low[1]!, at.y);
      high[0] = Math.max(high[0]!, at.x);
      high[1] = Math.max(high[1]!, at.y);
    }
  }
  const share = (k: number) => (Math.min(high[k]!, 1) - Math.max(low[k]!, -1)) / 2;
  return Math.max(share(0), share(1), 0);
}

// Seen from a direction: the subject fills the picture, and obstacles are taken in as far as they leave it enough.
export function fitView(bodies: BodyPoints[], direction: THREE.Vector3, aspect: number): Fit {
  const towards = direction.clone().normalize();
  const right = new THREE.Vector3(0, 1, 0).cross(towards).normalize();
  const axes = [right, towards.clone().cross(right), towards];
  const tall = Math.tan((kFieldOfView * Math.PI) / 360) * kMargin, wide = tall * aspect;
  const subjects = bodies.filter((body) => body.isSubject);
  const taken = subjects.map((body) => body.points);
  const box = subjects.reduce((sum, body) => sum.union(body.box), new THREE.Box3());
  const alone = fitPoints(taken, axes, wide, tall);
  const depth = Math.max(alone.distance - (alone.nearest + alone.farthest) / 2, 1e-12);
  let best = alone, fill = kMargin, isBeside = false;
  const others = bodies.filter((body) => !body.isSubject);
  const growth = (body: BodyPoints) => box.clone().union(body.box).getSize(new THREE.Vector3()).length();
  for (const body of others.sort((a, b) => growth(a) - growth(b))) {
    const wider = fitPoints([...taken, body.points], axes, wide, tall);
    const share = (kMargin * depth) / Math.max(wider.distance - (alone.nearest + alone.farthest) / 2, depth);
    if (share < kLeastFill) {
      const reach = box.getSize(new THREE.Vector3()).length() / 10;
      isBeside ||= body.box.clone().expandByScalar(reach).intersectsBox(box);
      continue;
    }
    taken.push(body.points);
    box.union(body.box);
    [best, fill] = [wider, share];
  }
  if (isBeside && fill * kRoom > kLeastFill) {
    best = fitPoints(taken, axes, kRoom * wide, kRoom * tall);
    fill *= kRoom;
  }
  const place = (z: number) => new THREE.Vector3().addScaledVector(axes[0]!, best.x).addScaledVector(axes[1]!, best.y).addScaledVector(axes[2]!, z);
  return { position: place(best.distance), target: place((best.nearest + best.farthest) / 2), fill, box };
}

export interface Ground {
  level: number;
  body: number | null; // drawn as the ground and not as itself
}

// The ground is what the scene calls so, or what is under the subject and carries it: an obstacle that reaches below
// the subject's lowest point, and on both sides of its middle. If there is none, nothing is drawn: a body that falls
// must not seem to lie on something.
export function findGround(prepared: Prepared, bodies: BodyPoints[]): Ground | null {
  const flat = bodies.find(({ body, box }) => {
    const size = box.getSize(new THREE.Vector3());
    return prepared.bodies[body]!.ground && size.y < 0.1 * Math.max(size.x, size.z);
  });
  if (flat) return { level: flat.box.max.y, body: flat.body };
  const subject = bodies.filter((b) => b.isSubject).reduce((sum, b) => sum.union(b.box), new THREE.Box3());
  const centre = subject.getCenter(new THREE.Vector3()), size = subject.getSize(new THREE.Vector3()).length();
  const carriers = bodies.filter(({ isSubject, box }) => !isSubject && box.min.x <= centre.x && box.max.x >= centre.x &&
    box.min.z <= centre.z && box.max.z >= centre.z && box.min.y <= subject.min.y && box.max.y >= subject.min.y - size);
  if (carriers.length === 0) return null;
  const level = carriers.reduce((low, { box }) => Math.min(low, box.min.y), Infinity);
  return { level: Math.min(level, ...bodies.filter((b) => !b.isSubject && b.box.max.y < centre.y && b.box.distanceToPoint(centre) < 2 * size).map((b) => b.box.min.y)), body: null };
}
