// What is drawn over the bodies: contacts, joints, handles, the smallest gap, medial spheres and cones, and the
// elements that `marrow check` found. Lines and dots show through the bodies.
import * as THREE from 'three';
import { isArrowPart, makeArrows } from './arrows';
import { looks, type Theme } from './colours';
import type { Mark } from './connection';
import type { FrameData, OverlayData, Prepared } from './frames';

const kSides = 20;
const ball = new THREE.IcosahedronGeometry(1, 3);

// The frustum that touches both spheres, without its ends; nothing if one sphere holds the other.
function addCone(overlay: OverlayData, segment: number, places: number[], normals: number[]) {
  const [i, j] = [overlay.segments[2 * segment]!, overlay.segments[2 * segment + 1]!];
  const a = new THREE.Vector3().fromArray(overlay.points, 3 * i), b = new THREE.Vector3().fromArray(overlay.points, 3 * j);
  const ra = overlay.radii[i]!, rb = overlay.radii[j]!;
  const axis = b.clone().sub(a), length = axis.length();
  if (length <= Math.abs(ra - rb) || length === 0) return;
  axis.divideScalar(length);
  // Tangent circles: where the normal leans towards the smaller sphere by sin = (ra − rb) / length.
  const lean = (ra - rb) / length, wide = Math.sqrt(1 - lean * lean);
  const side = new THREE.Vector3(Math.abs(axis.x) < 0.8 ? 1 : 0, Math.abs(axis.x) < 0.8 ? 0 : 1, 0).cross(axis).normalize();
  const other = axis.clone().cross(side);
  const ring = Array.from({ length: kSides + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / kSides;
    return side.clone().multiplyScalar(Math.cos(angle) * wide).addScaledVector(other, Math.sin(angle) * wide).addScaledVector(axis, lean);
  });
  for (let k = 0; k < kSides; ++k) {
    const [n0, n1] = [ring[k]!, ring[k + 1]!];
    const a0 = a.clone().addScaledVector(n0, ra), a1 = a.clone().addScaledVector(n1, ra);
    const b0 = b.clone().addScaledVector(n0, rb), b1 = b.clone().addScaledVector(n1, rb);
    for (const [p, n] of [[a0, n0], [a1, n1], [b1, n1], [a0, n0], [b1, n1], [b0, n0]] as const) {
      places.push(...p.toArray());
      normals.push(...n.toArray());
    }
  }
}

// The two flat sides of a slab, each vertex moved along the triangle's normal by its radius.
function addSlab(overlay: OverlayData, slab: number, places: number[], normals: number[]) {
  const ids = [0, 1, 2].map((k) => overlay.slabs[3 * slab + k]!);
  const p = ids.map((i) => new THREE.Vector3().fromArray(overlay.points, 3 * i));
  const normal = p[1]!.clone().sub(p[0]!).cross(p[2]!.clone().sub(p[0]!)).normalize();
  for (const sign of [1, -1]) {
    ids.forEach((i, k) => {
      places.push(...p[k]!.clone().addScaledVector(normal, sign * overlay.radii[i]!).toArray());
      normals.push(...normal.clone().multiplyScalar(sign).toArray());
    });
  }
}

function makeSolids(overlay: OverlayData, colour: string): THREE.Object3D[] {
  const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.6, side: THREE.DoubleSide });
  const count = overlay.radii.length;
  const spheres = new THREE.InstancedMesh(ball, material, count), place = new THREE.Matrix4();
  for (let i = 0; i < count; ++i) {
    const r = overlay.radii[i]!;
    place.makeScale(r, r, r).setPosition(overlay.points[3 * i]!, overlay.points[3 * i + 1]!, overlay.points[3 * i + 2]!);
    spheres.setMatrixAt(i, place);
  }
  spheres.frustumCulled = false;
  const places: number[] = [], normals: number[] = [];
  for (let s = 0; s < overlay.segments.length / 2; ++s) addCone(overlay, s, places, normals);
  for (let s = 0; s < overlay.slabs.length / 3; ++s) addSlab(overlay, s, places, normals);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  const light = material.clone();
  light.color.lerp(new THREE.Color('#ffffff'), 0.25);
  const cones = new THREE.Mesh(geometry, light);
  cones.frustumCulled = false;
  return [spheres, cones];
}

function makeLines(points: THREE.BufferAttribute, segments: Uint32Array, colour: string): THREE.Object3D {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', points);
  geometry.setIndex(new THREE.BufferAttribute(segments, 1));
  const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, depthTest: false, transparent: true }));
  lines.frustumCulled = false;
  lines.renderOrder = 10;
  return lines;
}

function makeDots(points: THREE.BufferAttribute, colour: string, size: number): THREE.Object3D {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', points);
  const material = new THREE.PointsMaterial({ color: colour, size, sizeAttenuation: false, depthTest: false, transparent: true });
  // Round ones.
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <color_fragment>',
      '#include <color_fragment>\n float away = length(gl_PointCoord - 0.5); if (away > 0.5) discard; diffuseColor.rgb *= away > 0.36 ? 0.55 : 1.0;');
  };
  const dots = new THREE.Points(geometry, material);
  dots.frustumCulled = false;
  dots.renderOrder = 11;
  return dots;
}

function dispose(object: THREE.Object3D) {
  object.traverse((child) => {
    const mesh = child as THREE.Mesh;
    if (mesh.geometry && mesh.geometry !== ball && !isArrowPart(mesh.geometry)) mesh.geometry.dispose();
    if (mesh.material) (mesh.material as THREE.Material).dispose();
    if (child instanceof THREE.InstancedMesh) child.dispose();
  });
}

export class Overlays {
  readonly group = new THREE.Group();
  readonly shown = new Set<string>();
  theme: Theme = 'light';

  private clear() {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      dispose(child);
    }
  }

  show(frame: FrameData) {
    this.clear();
    const look = looks[this.theme];
    for (const [name, overlay] of Object.entries(frame.overlays)) {
      if (!this.shown.has(name) || overlay.points.length === 0) continue;
      const colour = look.overlay[name] ?? look.otherOverlay;
      if (overlay.radii.length > 0) {
        this.group.add(...makeSolids(overlay, colour));
        continue;
      }
      if (name === 'forces') {
        this.group.add(...makeArrows(overlay, colour));
        continue;
      }
      const points = new THREE.BufferAttribute(overlay.points, 3);
      if (overlay.segments.length > 0) this.group.add(makeLines(points, overlay.segments, colour));
      this.group.add(makeDots(points, colour, name === 'smallest_gap' ? 10 : 7));
    }
  }
}

// The marked elements, on their present places.
export class Marks {
  readonly group = new THREE.Group();
  private vertexOf = new Map<number, number>(); // by point of the run

  constructor(readonly marks: Mark[], prepared: Prepared) {
    const vertexOfPoint = new Map<number, number>();
    prepared.pointOf.forEach((point, v) => vertexOfPoint.set(point, v));
    prepared.runPoints.forEach((runPoint, point) => this.vertexOf.set(runPoint, vertexOfPoint.get(point)!));
  }

  private place(frame: FrameData, runPoint: number): number[] {
    const v = this.vertexOf.get(runPoint);
    return v === undefined ? [NaN, NaN, NaN] : [...frame.positions.subarray(3 * v, 3 * v + 3)];
  }

  // Middle and size of a mark.
  locate(mark: Mark, frame: FrameData): { centre: THREE.Vector3; size: number } {
    const box = new THREE.Box3();
    for (const point of mark.elements.flat()) box.expandByPoint(new THREE.Vector3().fromArray(this.place(frame, point)));
    return { centre: box.getCenter(new THREE.Vector3()), size: box.getSize(new THREE.Vector3()).length() };
  }

  // Answers how many are marked.
  show(frame: FrameData, theme: Theme): number {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      dispose(child);
    }
    const faces: number[] = [], lines: number[] = [], dots: number[] = [];
    let count = 0;
    for (const mark of this.marks) {
      if (mark.step !== null && mark.step !== frame.step) continue;
      for (const element of mark.elements) {
        ++count;
        const places = element.map((point) => this.place(frame, point));
        if (places.length === 3) faces.push(...places.flat());
        places.forEach((p, k) => places.length > 1 && lines.push(...p, ...places[(k + 1) % places.length]!));
        if (places.length === 1) dots.push(...places[0]!);
      }
    }
    const colour = looks[theme].mark;
    if (faces.length > 0) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(faces, 3));
      const material = new THREE.MeshBasicMaterial({ color: colour, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 });
      const mesh = new THREE.Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    const indices = Uint32Array.from({ length: lines.length / 3 }, (_, i) => i);
    if (lines.length > 0) this.group.add(makeLines(new THREE.Float32BufferAttribute(lines, 3), indices, colour));
    if (dots.length > 0) this.group.add(makeDots(new THREE.Float32BufferAttribute(dots, 3), colour, 9));
    return count;
  }
}
