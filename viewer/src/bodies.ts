// The bodies: one mesh for all surfaces (a few draw calls whatever their number), rods and balls for wires and loose
// points, and the wireframe. Hidden bodies are left out of the index. Obstacles that hide the others are drawn cut
// open by a plane, or faintly.
import * as THREE from 'three';
import { bodyColours, hasValues, kNoValue, linearBytes, looks, scaleTable, shade, type ColourMode, type Theme } from './colours';
import type { FrameData, Prepared } from './frames';
import { Rods } from './rods';
import { patchMaterial } from './shading';
import { isClosed, listEdges } from './surface';
import { Sight } from './visibility';

export interface ValueRange {
  min: number;
  max: number;
}

export type Opening = 'cut' | 'faint' | 'left_out';

const kFaint = 0.16; // opacity

function makeMaterial(isSolid = false): THREE.MeshStandardMaterial {
  return patchMaterial(new THREE.MeshStandardMaterial({
    vertexColors: true, roughness: 0.62, metalness: 0, side: THREE.DoubleSide, shadowSide: THREE.DoubleSide,
  }), isSolid);
}

export class Bodies {
  readonly group = new THREE.Group();
  private positions: THREE.BufferAttribute;
  private normals: THREE.BufferAttribute;
  private colours: THREE.BufferAttribute;
  private cuts: THREE.BufferAttribute; // of each vertex: 0 as usual, 1 cut open, 2 not in the way
  private surface = new THREE.BufferGeometry(); // all that is drawn as usual
  private cut = new THREE.BufferGeometry(); // open surfaces
  private solid = new THREE.BufferGeometry(); // cut, too, but closed
  private faint = new THREE.BufferGeometry();
  private seen = { surface: new THREE.BufferGeometry(), lines: new THREE.BufferGeometry(), dots: new THREE.BufferGeometry() };
  readonly sight: Sight;
  private rods: Rods;
  private wires?: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private material = makeMaterial();
  private cutMaterial = makeMaterial();
  private solidMaterial = makeMaterial(true);
  private faintMaterial = makeMaterial();
  private bodyOf: Uint32Array; // of each vertex
  readonly isVisible: boolean[];
  private isSolid: boolean[];
  private openings = new Map<number, Opening>();
  private displacements = new Float32Array(0);
  private theme: Theme = 'light';

  constructor(readonly prepared: Prepared, private first: FrameData) {
    const count = prepared.pointOf.length;
    this.positions = new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * count), 3).setUsage(THREE.DynamicDrawUsage);
    this.colours = new THREE.BufferAttribute(new Uint8Array(4 * count), 4, true).setUsage(THREE.DynamicDrawUsage);
    this.cuts = new THREE.BufferAttribute(new Uint8Array(count), 1);
    const { view } = prepared;
    this.isVisible = prepared.bodies.map((body) => (body.visible ?? true) && !view.hide?.some((name) => name === body.name || name === body.group));
    this.isSolid = prepared.bodies.map((body) => body.kind === 'obstacle' && isClosed(prepared, body.triangles, first.positions));
    this.bodyOf = new Uint32Array(count);
    const bodyOfPoint = new Uint32Array(prepared.pointCount);
    prepared.bodies.forEach((body, b) => bodyOfPoint.fill(b, body.points[0], body.points[0] + body.points[1]));
    prepared.pointOf.forEach((point, v) => (this.bodyOf[v] = bodyOfPoint[point]!));
    const owners = Float32Array.from(this.bodyOf, (b) => (prepared.bodies[b]!.kind === 'obstacle' ? -1 : 1) * (b + 1));
    if (prepared.bodies.every((body) => body.kind === 'obstacle')) owners.forEach((owner, v) => (owners[v] = -owner));
    const owner = new THREE.BufferAttribute(owners, 1);
    for (const geometry of [this.surface, this.cut, this.solid, this.faint]) {
      geometry.setAttribute('position', this.positions);
      geometry.setAttribute('color', this.colours);
      geometry.setAttribute('normal', this.normals);
      geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    }
    for (const geometry of Object.values(this.seen)) {
      geometry.setAttribute('position', this.positions);
      geometry.setAttribute('owner', owner);
      geometry.setAttribute('cut', this.cuts);
    }
    this.sight = new Sight(this.seen);
    this.cutMaterial.clipShadows = this.solidMaterial.clipShadows = true;
    Object.assign(this.faintMaterial, { transparent: true, opacity: kFaint, depthWrite: false });
    for (const [geometry, material] of [
      [this.surface, this.material], [this.cut, this.cutMaterial], [this.solid, this.solidMaterial], [this.faint, this.faintMaterial],
    ] as const) {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.castShadow = mesh.receiveShadow = material !== this.faintMaterial;
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.rods = new Rods(prepared);
    this.group.add(this.rods.group);
    this.updateIndices();
  }

  dispose() {
    for (const geometry of [this.surface, this.cut, this.solid, this.faint, ...Object.values(this.seen), this.wires?.geometry]) geometry?.dispose();
    for (const material of [this.material, this.cutMaterial, this.solidMaterial, this.faintMaterial]) material.dispose();
    this.rods.dispose();
    this.sight.dispose();
  }

  setVisible(body: number, visible: boolean) {
    this.isVisible[body] = visible;
    this.updateIndices();
    this.updateRods();
  }

  // How obstacles are drawn that would hide the others; the rest as usual.
  setOpenings(openings: Map<number, Opening>) {
    const isSame = openings.size === this.openings.size && [...openings].every(([body, how]) => this.openings.get(body) === how);
    if (isSame) return;
    this.openings = new Map(openings);
    const cuts = this.cuts.array as Uint8Array;
    this.bodyOf.forEach((body, v) => (cuts[v] = { none: 0, cut: 1, faint: 2, left_out: 2 }[this.openings.get(body) ?? 'none']));
    this.cuts.needsUpdate = true;
    this.updateIndices();
  }

  // Whether a body is drawn so that one sees past it.
  isOpened(body: number): boolean {
    return this.openings.has(body);
  }

  // Planes keep the side to which their normals point. section: for everything; cut: for what is drawn cut open.
  setPlanes(section: THREE.Plane | null, cut: THREE.Plane | null) {
    const always = section ? [section] : [];
    for (const material of [this.material, this.faintMaterial, this.rods.material]) {
      material.clippingPlanes = always;
      material.clipShadows = true;
    }
    this.cutMaterial.clippingPlanes = this.solidMaterial.clippingPlanes = cut ? [...always, cut] : always;
  }

  // The size of what is shown: how thin things are drawn that have no thickness.
  setScale(radius: number) {
    this.rods.setScale(radius);
    this.updateRods();
  }

  private keep(indices: Uint32Array, range: 'triangles' | 'edges' | 'vertices', each: number, isKept: (body: number) => boolean): THREE.BufferAttribute {
    const kept = this.prepared.bodies.map((_, b) => isKept(b));
    if (kept.every(Boolean)) return new THREE.BufferAttribute(indices, 1);
    const parts = this.prepared.bodies.filter((_, b) => kept[b]).map((body) => {
      const [first, count] = body[range];
      return indices.subarray(each * first, each * (first + count));
    });
    const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return new THREE.BufferAttribute(all, 1);
  }

  private updateIndices() {
    const { corners, lines, dots } = this.prepared;
    const isShown = (body: number) => this.isVisible[body]!;
    const drawn = (how?: Opening, isSolid?: boolean) => this.keep(corners, 'triangles', 3, (b) =>
      isShown(b) && this.openings.get(b) === how && (isSolid ?? this.isSolid[b]) === this.isSolid[b]);
    this.surface.setIndex(drawn());
    this.cut.setIndex(drawn('cut', false));
    this.solid.setIndex(drawn('cut', true));
    this.faint.setIndex(drawn('faint'));
    this.seen.surface.setIndex(this.keep(corners, 'triangles', 3, isShown));
    this.seen.lines.setIndex(this.keep(lines, 'edges', 2, isShown));
    this.seen.dots.setIndex(this.keep(dots, 'vertices', 1, isShown));
    if (this.wires) this.setWireframe(true);
  }

  private updateRods() {
    if (this.rods.isEmpty) return;
    const isShown = this.isVisible.map((visible, b) => visible && this.openings.get(b) !== 'left_out');
    this.rods.show(this.positions.array as Float32Array, this.colours.array as Uint8Array, isShown);
  }

  show(frame: FrameData) {
    (this.positions.array as Float32Array).set(frame.positions);
    (this.normals.array as Float32Array).set(frame.normals);
    this.positions.needsUpdate = this.normals.needsUpdate = true;
    this.updateRods();
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
    const corners = this.seen.surface.getIndex()!.array as Uint32Array;
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

  private colourByValue(mode: ColourMode, value: (vertex: number) => number, range: ValueRange) {
    const colours = this.colours.array as Uint8Array;
    const scale = range.max > range.min ? 255 / (range.max - range.min) : 0;
    const isPlain = this.prepared.bodies.map((body) => !hasValues(body, mode));
    const grey = linearBytes(kNoValue);
    for (let v = 0; v < this.bodyOf.length; ++v) {
      const level = Math.min(Math.max(Math.round((value(v) - range.min) * scale), 0), 255);
      const plain = isPlain[this.bodyOf[v]!];
      colours[4 * v] = plain ? grey[0] : scaleTable[3 * level]!;
      colours[4 * v + 1] = plain ? grey[1] : scaleTable[3 * level + 1]!;
      colours[4 * v + 2] = plain ? grey[2] : scaleTable[3 * level + 2]!;
      colours[4 * v + 3] = 255;
    }
  }

  // Separate pieces of a body differ a little, so that their seams are seen.
  private colourByBody(mode: ColourMode) {
    const colours = this.colours.array as Uint8Array, { partOf } = this.prepared;
    const shades = bodyColours(this.prepared.bodies, mode).map((colour) => ({ colour, parts: new Map<number, [number, number, number]>() }));
    for (let v = 0; v < this.bodyOf.length; ++v) {
      const { colour, parts } = shades[this.bodyOf[v]!]!, part = partOf[v]!;
      if (!parts.has(part)) parts.set(part, linearBytes(shade(colour, part)));
      const bytes = parts.get(part)!;
      colours[4 * v] = bytes[0];
      colours[4 * v + 1] = bytes[1];
      colours[4 * v + 2] = bytes[2];
      colours[4 * v + 3] = 255;
    }
  }

  colour(mode: ColourMode, frame: FrameData, range: ValueRange) {
    const field = frame.scalars[mode];
    if (mode === 'displacement') {
      this.computeDisplacements(frame);
      this.colourByValue(mode, (v) => this.displacements[v]!, range);
    } else if (field) {
      const step = (field.max - field.min) / 65535, pointOf = this.prepared.pointOf;
      this.colourByValue(mode, (v) => field.min + step * field.values[pointOf[v]!]!, range);
    } else {
      this.colourByBody(mode);
    }
    this.colours.needsUpdate = true;
    this.updateRods();
  }
}
