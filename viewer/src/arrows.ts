// Arrows: a shaft and a head for every segment of an overlay, from its first point to its second. They show through
// the bodies, as the other overlays do.
import * as THREE from 'three';
import type { OverlayData } from './frames';

const kHead = 0.25; // of the length
const kThickness = 0.02; // of the longest arrow
const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const head = new THREE.ConeGeometry(2.5, 1, 16).translate(0, 0.5, 0);

export function isArrowPart(geometry: THREE.BufferGeometry): boolean {
  return geometry === shaft || geometry === head;
}

export function makeArrows(overlay: OverlayData, colour: string): THREE.Object3D[] {
  const count = overlay.segments.length / 2;
  const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
  const shafts = new THREE.InstancedMesh(shaft, material, count), heads = new THREE.InstancedMesh(head, material.clone(), count);
  const ends = (k: number) => [0, 1].map((end) => new THREE.Vector3().fromArray(overlay.points, 3 * overlay.segments[2 * k + end]!));
  let longest = 0;
  for (let k = 0; k < count; ++k) longest = Math.max(longest, ends(k)[0]!.distanceTo(ends(k)[1]!));
  const up = new THREE.Vector3(0, 1, 0);
  for (let k = 0; k < count; ++k) {
    const [from, to] = ends(k) as [THREE.Vector3, THREE.Vector3];
    const along = to.clone().sub(from), length = along.length();
    const turn = new THREE.Quaternion().setFromUnitVectors(up, along.normalize());
    const thick = kThickness * Math.min(longest, 3 * length);
    shafts.setMatrixAt(k, new THREE.Matrix4().compose(from, turn, new THREE.Vector3(thick, (1 - kHead) * length, thick)));
    const neck = from.clone().addScaledVector(along, (1 - kHead) * length);
    heads.setMatrixAt(k, new THREE.Matrix4().compose(neck, turn, new THREE.Vector3(thick, kHead * length, thick)));
  }
  for (const mesh of [shafts, heads]) {
    mesh.frustumCulled = false;
    mesh.renderOrder = 12;
  }
  return [shafts, heads];
}
