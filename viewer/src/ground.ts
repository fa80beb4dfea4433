// The ground under everything: a disc that fades into the background, with lines a round length apart.
import * as THREE from 'three';

// 1, 2 or 5 times a power of ten.
function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * (length / power >= 5 ? 5 : length / power >= 2 ? 2 : 1);
}

// Opaque in the middle, gone at the rim.
function fade(distance: number): number {
  const t = Math.min(Math.max((distance - 0.25) / 0.75, 0), 1);
  return 1 - t * t * (3 - 2 * t);
}

function makeDisc(reach: number, colour: THREE.Color): THREE.Mesh {
  const geometry = new THREE.RingGeometry(0, reach, 64, 24).rotateX(-Math.PI / 2);
  const places = geometry.getAttribute('position'), colours = new Float32Array(4 * places.count);
  for (let i = 0; i < places.count; ++i) {
    const distance = Math.hypot(places.getX(i), places.getZ(i)) / reach;
    colours.set([1, 1, 1, fade(distance)], 4 * i);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 4));
  const material = new THREE.MeshLambertMaterial({ color: colour, vertexColors: true, transparent: true, depthWrite: false });
  const disc = new THREE.Mesh(geometry, material);
  disc.receiveShadow = true;
  disc.renderOrder = -2;
  return disc;
}

function makeGrid(reach: number, spacing: number, centre: THREE.Vector3, colour: THREE.Color): THREE.LineSegments {
  const places: number[] = [], colours: number[] = [];
  const lines = Math.floor(reach / spacing), pieces = 24;
  const x0 = Math.round(centre.x / spacing) * spacing, z0 = Math.round(centre.z / spacing) * spacing;
  const add = (x: number, z: number) => {
    places.push(x, 0, z);
    colours.push(colour.r, colour.g, colour.b, 0.55 * fade(Math.hypot(x - centre.x, z - centre.z) / reach));
  };
  for (let k = -lines; k <= lines; ++k) {
    for (let p = 0; p < pieces; ++p) {
      const from = -reach + (2 * reach * p) / pieces, to = -reach + (2 * reach * (p + 1)) / pieces;
      add(x0 + k * spacing, z0 + from);
      add(x0 + k * spacing, z0 + to);
      add(x0 + from, z0 + k * spacing);
      add(x0 + to, z0 + k * spacing);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 4));
  const grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
  grid.renderOrder = -1;
  return grid;
}

// Replaces what the group holds; level null: there is no ground.
export function buildGround(
  group: THREE.Group, level: number | null, focus: THREE.Vector3, radius: number, colours: { ground: string; grid: string },
) {
  for (const child of [...group.children]) {
    group.remove(child);
    (child as THREE.Mesh).geometry.dispose();
  }
  if (level === null) return;
  const reach = 7 * radius;
  const disc = makeDisc(reach, new THREE.Color(colours.ground));
  disc.position.set(focus.x, level, focus.z);
  const grid = makeGrid(reach * 0.55, roundLength(radius / 3), focus, new THREE.Color(colours.grid));
  grid.position.y = level + 1e-3 * radius;
  group.add(disc, grid);
}
