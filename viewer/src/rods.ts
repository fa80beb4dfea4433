// Wires as rods and loose points as balls, with the radius that the body has; thin ones if it has none.
import * as THREE from 'three';
import type { Prepared } from './frames';
import { patchMaterial } from './shading';

const kThin = 0.004; // of the radius of what is shown: a rod of some pixels, if it has no radius
const kThinnest = 0.003; // however thin it is: it must be seen

export class Rods {
  readonly group = new THREE.Group();
  readonly material = patchMaterial(new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0 }));
  private rods?: THREE.InstancedMesh;
  private balls?: THREE.InstancedMesh;
  private edges: { a: number; b: number; body: number }[] = [];
  private ends: { v: number; body: number }[] = [];
  private scale = 1;

  constructor(private prepared: Prepared) {
    const seen = new Set<number>();
    prepared.bodies.forEach((body, b) => {
      for (let e = body.edges[0]; e < body.edges[0] + body.edges[1]; ++e) {
        const [from, to] = [prepared.lines[2 * e]!, prepared.lines[2 * e + 1]!];
        this.edges.push({ a: from, b: to, body: b });
        for (const v of [from, to]) if (!seen.has(prepared.pointOf[v]!)) this.ends.push({ v, body: b }), seen.add(prepared.pointOf[v]!);
      }
      for (let i = body.vertices[0]; i < body.vertices[0] + body.vertices[1]; ++i) this.ends.push({ v: prepared.dots[i]!, body: b });
    });
    const make = (geometry: THREE.BufferGeometry, count: number) => {
      if (count === 0) return undefined;
      const mesh = new THREE.InstancedMesh(geometry, this.material, count);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.setColorAt(0, new THREE.Color());
      this.group.add(mesh);
      return mesh;
    };
    this.rods = make(new THREE.CylinderGeometry(1, 1, 1, 12, 1, true), this.edges.length);
    this.balls = make(new THREE.IcosahedronGeometry(1, this.ends.length > 5000 ? 1 : 2), this.ends.length);
  }

  get isEmpty(): boolean {
    return this.ends.length === 0;
  }

  dispose() {
    for (const mesh of [this.rods, this.balls]) mesh?.geometry.dispose(), mesh?.dispose();
    this.material.dispose();
  }

  // The size of what is shown, for those that have no radius of their own.
  setScale(radius: number) {
    this.scale = radius;
  }

  // colours: four bytes per vertex, linear.
  show(positions: Float32Array, colours: Uint8Array, isVisible: boolean[]) {
    const place = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 1, 0);
    const a = new THREE.Vector3(), b = new THREE.Vector3(), colour = new THREE.Color();
    const radiusOf = (body: number) => {
      if (!isVisible[body]) return 0;
      const { radius } = this.prepared.bodies[body]!;
      return radius ? Math.max(radius, kThinnest * this.scale) : kThin * this.scale;
    };
    const at = (v: number, k: number) => colours[4 * v + k]! / 255;
    this.edges.forEach((edge, i) => {
      a.fromArray(positions, 3 * edge.a);
      b.fromArray(positions, 3 * edge.b);
      const r = radiusOf(edge.body), length = a.distanceTo(b);
      turn.setFromUnitVectors(up, b.clone().sub(a).normalize());
      place.compose(a.add(b).multiplyScalar(0.5), turn, new THREE.Vector3(r, r > 0 ? length : 0, r));
      this.rods!.setMatrixAt(i, place);
      const mean = (k: number) => (at(edge.a, k) + at(edge.b, k)) / 2;
      this.rods!.setColorAt(i, colour.setRGB(mean(0), mean(1), mean(2)));
    });
    this.ends.forEach((end, i) => {
      const r = radiusOf(end.body);
      place.makeScale(r, r, r).setPosition(a.fromArray(positions, 3 * end.v));
      this.balls!.setMatrixAt(i, place);
      this.balls!.setColorAt(i, colour.setRGB(at(end.v, 0), at(end.v, 1), at(end.v, 2)));
    });
    for (const mesh of [this.rods, this.balls]) {
      if (!mesh) continue;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }
}
