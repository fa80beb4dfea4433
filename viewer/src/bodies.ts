// The bodies: one mesh for all surfaces (a few draw calls whatever their number), one for wires, one for loose
// points, and the wireframe. Hidden bodies are left out of the index.
import * as THREE from 'three';
import { bodyColour, linearBytes, looks, scaleTable, type ColourMode, type Theme } from './colours';
import type { FrameData, Prepared } from './frames';
import { listEdges } from './surface';

export interface ValueRange {
  min: number;
  max: number;
}

export class Bodies {
  readonly group = new THREE.Group();
  private positions: THREE.BufferAttribute;
  private normals: THREE.BufferAttribute;
  private colours: THREE.BufferAttribute;
  private surface = new THREE.BufferGeometry();
  private lines = new THREE.BufferGeometry();
  private dots = new THREE.BufferGeometry();
  private wires?: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private material = new THREE.MeshStandardMaterial({
    vertexColors: true, roughness: 0.62, metalness: 0, side: THREE.DoubleSide, shadowSide: THREE.DoubleSide,
  });
  private bodyOf: Uint32Array; // of each vertex
  readonly isVisible: boolean[];
  private displacements = new Float32Array(0);
  private theme: Theme = 'light';

  constructor(readonly prepared: Prepared, private first: FrameData) {
    const count = prepared.pointOf.length;
    this.positions = new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage);
    this.colours = new THREE.BufferAttribute(new Uint8Array(4 * count), 4, true).setUsage(THREE.DynamicDrawUsage);
    this.isVisible = prepared.bodies.map(() => true);
    this.bodyOf = new Uint32Array(count);
    const bodyOfPoint = new Uint32Array(prepared.pointCount);
    prepared.bodies.forEach((body, b) => bodyOfPoint.fill(b, body.points[0], body.points[0] + body.points[1]));
    prepared.pointOf.forEach((point, v) => (this.bodyOf[v] = bodyOfPoint[point]!));
    for (const geometry of [this.surface, this.lines, this.dots]) {
      geometry.setAttribute('position', this.positions);
      geometry.setAttribute('color', this.colours);
      geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    }
    this.surface.setAttribute('normal', this.normals);
    const mesh = new THREE.Mesh(this.surface, this.material);
    mesh.castShadow = mesh.receiveShadow = true;
    const lines = new THREE.LineSegments(this.lines, new THREE.LineBasicMaterial({ vertexColors: true }));
    const dots = new THREE.Points(this.dots, new THREE.PointsMaterial({ vertexColors: true, size: 5, sizeAttenuation: false }));
    for (const object of [mesh, lines, dots]) {
      object.frustumCulled = false;
      this.group.add(object);
    }
    this.updateIndices();
  }

  dispose() {
    for (const geometry of [this.surface, this.lines, this.dots, this.wires?.geometry]) geometry?.dispose();
    this.material.dispose();
  }

  setVisible(body: number, visible: boolean) {
    this.isVisible[body] = visible;
    this.updateIndices();
  }

  private keep(indices: Uint32Array, range: 'triangles' | 'edges' | 'vertices', each: number): THREE.BufferAttribute {
    if (this.isVisible.every(Boolean)) return new THREE.BufferAttribute(indices, 1);
    const parts = this.prepared.bodies.filter((_, b) => this.isVisible[b]).map((body) => {
      const [first, count] = body[range];
      return indices.subarray(each * first, each * (first + count));
    });
    const kept = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => (kept.set(part, at), at + part.length), 0);
    return new THREE.BufferAttribute(kept, 1);
  }

  private updateIndices() {
    this.surface.setIndex(this.keep(this.prepared.corners, 'triangles', 3));
    this.lines.setIndex(this.keep(this.prepared.lines, 'edges', 2));
    this.dots.setIndex(this.keep(this.prepared.dots, 'vertices', 1));
    if (this.wires) this.setWireframe(true);
  }

  show(frame: FrameData) {
    (this.positions.array as Float32Array).set(frame.positions);
    (this.normals.array as Float32Array).set(frame.normals);
    this.positions.needsUpdate = this.normals.needsUpdate = true;
  }

  setTheme(theme: Theme) {
    this.theme = theme;
    this.wires?.material.color.set(looks[theme].wire);
  }

  setSeeThrough(seeThrough: boolean) {
    if (this.material.transparent === seeThrough) return;
    this.material.transparent = seeThrough;
    this.material.opacity = seeThrough ? 0.28 : 1;
    this.material.depthWrite = !seeThrough;
    this.material.needsUpdate = true;
  }

  // Every edge of the surfaces once.
  setWireframe(on: boolean) {
    if (this.wires) {
      this.group.remove(this.wires);
      this.wires.geometry.dispose();
      this.wires = undefined;
    }
    if (!on) return;
    const corners = this.surface.getIndex()!.array as Uint32Array;
    const edges = listEdges(corners, this.prepared.pointOf, this.prepared.pointCount);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setIndex(new THREE.BufferAttribute(edges, 1));
    const material = new THREE.LineBasicMaterial({ color: looks[this.theme].wire, transparent: true, opacity: 0.35 });
    this.wires = new THREE.LineSegments(geometry, material);
    this.wires.frustumCulled = false;
    this.group.add(this.wires);
  }

  // How far each vertex is from where it was in the first frame.
  private computeDisplacements(frame: FrameData): ValueRange {
    const from = this.first.positions, to = frame.positions;
    if (this.displacements.length * 3 !== to.length) this.displacements = new Float32Array(to.length / 3);
    let max = 0;
    for (let v = 0; v < this.displacements.length; ++v) {
      const d = Math.hypot(to[3 * v]! - from[3 * v]!, to[3 * v + 1]! - from[3 * v + 1]!, to[3 * v + 2]! - from[3 * v + 2]!);
      this.displacements[v] = d;
      if (d > max) max = d;
    }
    return { min: 0, max };
  }

  largestDisplacement(frame: FrameData): number {
    return this.computeDisplacements(frame).max;
  }

  private colourByValue(value: (vertex: number) => number, range: ValueRange) {
    const colours = this.colours.array as Uint8Array;
    const scale = range.max > range.min ? 255 / (range.max - range.min) : 0;
    const isObstacle = this.prepared.bodies.map((body) => body.kind === 'obstacle');
    const grey = linearBytes('#b4b9c1');
    for (let v = 0; v < this.bodyOf.length; ++v) {
      const level = Math.min(Math.max(Math.round((value(v) - range.min) * scale), 0), 255);
      const plain = isObstacle[this.bodyOf[v]!];
      colours[4 * v] = plain ? grey[0] : scaleTable[3 * level]!;
      colours[4 * v + 1] = plain ? grey[1] : scaleTable[3 * level + 1]!;
      colours[4 * v + 2] = plain ? grey[2] : scaleTable[3 * level + 2]!;
      colours[4 * v + 3] = 255;
    }
  }

  colour(mode: ColourMode, frame: FrameData, range: ValueRange) {
    const colours = this.colours.array as Uint8Array;
    const field = frame.scalars[mode];
    if (mode === 'displacement') {
      this.computeDisplacements(frame);
      this.colourByValue((v) => this.displacements[v]!, range);
    } else if (field) {
      const step = (field.max - field.min) / 65535, pointOf = this.prepared.pointOf;
      this.colourByValue((v) => field.min + step * field.values[pointOf[v]!]!, range);
    } else {
      const plain = this.prepared.bodies.map((body, b) => linearBytes(bodyColour(body, b, mode)));
      for (let v = 0; v < this.bodyOf.length; ++v) {
        const colour = plain[this.bodyOf[v]!]!;
        colours[4 * v] = colour[0];
        colours[4 * v + 1] = colour[1];
        colours[4 * v + 2] = colour[2];
        colours[4 * v + 3] = 255;
      }
    }
    this.colours.needsUpdate = true;
  }
}
