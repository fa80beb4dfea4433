// Joints that bridge a gap, drawn lightly: a rod from each body to where it is held, so that jointed bodies do not seem to
// float beside each other. Where a body reaches its joint there is nothing to draw.
import * as THREE from 'three';
import { linearBytes } from './colours';
import { listVertices } from './framing';
import type { FrameData, Prepared } from './frames';
import { patchMaterial } from './shading';

const kRadius = 0.005; // of the radius of what is shown
const kReached = 0.012; // a body that is nearer to its joint than this reaches it
const kColour = '#8d95a0';

export class Links {
  readonly group = new THREE.Group();
  private material = patchMaterial(new THREE.MeshStandardMaterial({ roughness: 0.7 }));
  private rod = new THREE.CylinderGeometry(1, 1, 1, 10, 1, true);
  private ball = new THREE.IcosahedronGeometry(1, 2);
  private vertices: number[][];
  private nearest = new Map<string, number>(); // vertex of a body at a joint; it does not change

  constructor(prepared: Prepared) {
    this.vertices = listVertices(prepared);
    const [r, g, b] = linearBytes(kColour);
    this.material.color.setRGB(r / 255, g / 255, b / 255);
  }

  private findNearest(key: string, body: number, at: THREE.Vector3, positions: Float32Array): number {
    const known = this.nearest.get(key);
    if (known !== undefined) return known;
    let best = -1, least = Infinity;
    for (const v of this.vertices[body]!) {
      const d = (positions[3 * v]! - at.x) ** 2 + (positions[3 * v + 1]! - at.y) ** 2 + (positions[3 * v + 2]! - at.z) ** 2;
      if (d < least) [best, least] = [v, d];
    }
    this.nearest.set(key, best);
    return best;
  }

  show(frame: FrameData, isVisible: boolean[], scale: number, isOn: boolean) {
    this.group.clear();
    const joints = frame.overlays.joints;
    if (!isOn || !joints || joints.bodies.length === 0) return;
    const at = new THREE.Vector3(), from = new THREE.Vector3(), up = new THREE.Vector3(0, 1, 0);
    for (let k = 0; k < joints.bodies.length / 2; ++k) {
      const ends = [0, 1].map((side) => ({ body: joints.bodies[2 * k + side]!, point: joints.segments[2 * k + side]! }));
      let isBridge = false;
      for (const { body, point } of ends) {
        if (body >= this.vertices.length || !isVisible[body]) continue;
        at.fromArray(joints.points, 3 * point);
        const v = this.findNearest(`${k},${ends[0]!.body},${ends[1]!.body},${body}`, body, at, frame.positions);
        if (v < 0) continue;
        from.fromArray(frame.positions, 3 * v);
        const length = from.distanceTo(at);
        if (length < kReached * scale) continue;
        isBridge = true;
        const mesh = new THREE.Mesh(this.rod, this.material);
        mesh.scale.set(kRadius * scale, length, kRadius * scale);
        mesh.quaternion.setFromUnitVectors(up, at.clone().sub(from).divideScalar(length));
        mesh.position.copy(from).add(at).multiplyScalar(0.5);
        mesh.castShadow = true;
        this.group.add(mesh);
      }
      if (!isBridge) continue;
      const ball = new THREE.Mesh(this.ball, this.material);
      ball.scale.setScalar(1.8 * kRadius * scale);
      ball.position.fromArray(joints.points, 3 * ends[0]!.point);
      ball.castShadow = true;
      this.group.add(ball);
    }
  }

  dispose() {
    for (const part of [this.material, this.rod, this.ball]) part.dispose();
  }
}
