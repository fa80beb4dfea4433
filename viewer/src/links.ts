// Joints that bridge a gap, drawn lightly: a rod from each body to where it is held, and along the way that one has slid
// on the other, so that jointed bodies do not seem to float beside each other. Where a body reaches its joint there is
// nothing to draw.
import * as THREE from 'three';
import { linearBytes } from './colours';
import { listVertices } from './framing';
import type { FrameData, Prepared } from './frames';
import { patchMaterial } from './shading';

const kRadius = 0.005; // of the radius of what is shown
const kReached = 0.012; // a body that is nearer to its joint than this reaches it
const kColour = '#8d95a0';

// A place on a body: corners of a triangle, or one vertex thrice, and their weights.
interface Hold {
  vertices: [number, number, number];
  weights: THREE.Vector3;
}

export class Links {
  readonly group = new THREE.Group();
  private material = patchMaterial(new THREE.MeshStandardMaterial({ roughness: 0.7 }));
  private rod = new THREE.CylinderGeometry(1, 1, 1, 10, 1, true);
  private ball = new THREE.IcosahedronGeometry(1, 2);
  private vertices: number[][];
  private holds = new Map<string, Hold | null>(); // of a body at a joint; they do not change

  constructor(private prepared: Prepared) {
    this.vertices = listVertices(prepared);
    const [r, g, b] = linearBytes(kColour);
    this.material.color.setRGB(r / 255, g / 255, b / 255);
  }

  // The place of the body's surface that is nearest to the joint; of its vertices if it has no surface.
  private findHold(body: number, at: THREE.Vector3, positions: Float32Array): Hold | null {
    const { corners, bodies } = this.prepared, [first, count] = bodies[body]!.triangles;
    const triangle = new THREE.Triangle(), near = new THREE.Vector3();
    let hold: Hold | null = null, least = Infinity;
    const consider = (vertices: [number, number, number], place: THREE.Vector3, weigh: () => THREE.Vector3 | null) => {
      const distance = place.distanceToSquared(at);
      if (distance >= least) return;
      [hold, least] = [{ vertices, weights: weigh() ?? new THREE.Vector3(1, 0, 0) }, distance];
    };
    for (let t = 3 * first; t < 3 * (first + count); t += 3) {
      const vertices: [number, number, number] = [corners[t]!, corners[t + 1]!, corners[t + 2]!];
      [triangle.a, triangle.b, triangle.c].forEach((corner, k) => corner.fromArray(positions, 3 * vertices[k]!));
      triangle.closestPointToPoint(at, near);
      consider(vertices, near, () => triangle.getBarycoord(near, new THREE.Vector3()));
    }
    if (count > 0) return hold;
    for (const v of this.vertices[body]!) consider([v, v, v], near.fromArray(positions, 3 * v), () => null);
    return hold;
  }

  // The place now, or null if the body has none.
  private follow(key: string, body: number, at: THREE.Vector3, positions: Float32Array): THREE.Vector3 | null {
    if (!this.holds.has(key)) this.holds.set(key, this.findHold(body, at, positions));
    const hold = this.holds.get(key);
    if (!hold) return null;
    const place = new THREE.Vector3(), corner = new THREE.Vector3();
    hold.vertices.forEach((v, k) => place.addScaledVector(corner.fromArray(positions, 3 * v), hold.weights.getComponent(k)));
    return place;
  }

  private addRod(from: THREE.Vector3, to: THREE.Vector3, scale: number): boolean {
    const length = from.distanceTo(to);
    if (length < kReached * scale) return false;
    const mesh = new THREE.Mesh(this.rod, this.material);
    mesh.scale.set(kRadius * scale, length, kRadius * scale);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).divideScalar(length));
    mesh.position.copy(from).add(to).multiplyScalar(0.5);
    mesh.castShadow = true;
    this.group.add(mesh);
    return true;
  }

  private addBall(at: THREE.Vector3, scale: number) {
    const ball = new THREE.Mesh(this.ball, this.material);
    ball.scale.setScalar(1.8 * kRadius * scale);
    ball.position.copy(at);
    ball.castShadow = true;
    this.group.add(ball);
  }

  show(frame: FrameData, isVisible: boolean[], scale: number, isOn: boolean) {
    this.group.clear();
    const joints = frame.overlays.joints;
    if (!isOn || !joints || joints.bodies.length === 0) return;
    for (let k = 0; k < joints.bodies.length / 2; ++k) {
      const ends = [0, 1].map((side) => ({
        body: joints.bodies[2 * k + side]!, at: new THREE.Vector3().fromArray(joints.points, 3 * joints.segments[2 * k + side]!),
      }));
      const isWhole = ends.every(({ body }) => body < this.vertices.length);
      let isBridge = isWhole && ends.every(({ body }) => isVisible[body]) && this.addRod(ends[0]!.at, ends[1]!.at, scale);
      for (const { body, at } of ends) {
        if (body >= this.vertices.length || !isVisible[body]) continue;
        const from = this.follow(`${k},${ends[0]!.body},${ends[1]!.body},${body}`, body, at, frame.positions);
        if (from && this.addRod(from, at, scale)) isBridge = true;
      }
      if (isBridge) for (const { at } of isWhole ? ends : ends.slice(0, 1)) this.addBall(at, scale);
    }
  }

  dispose() {
    for (const part of [this.material, this.rod, this.ball]) part.dispose();
  }
}
