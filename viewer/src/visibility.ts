// What is seen of each body from where the camera stands: the scene in a small picture whose colours are numbers.
import * as THREE from 'three';

const kWidth = 192;

const kVertex = `
  attribute float owner; attribute float cut;
  varying float vOwner; varying float vCut; varying vec3 vAt;
  void main() { vOwner = owner; vCut = cut; vAt = position; gl_PointSize = 2.0;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const kFragment = `
  uniform vec4 cutPlane; uniform vec4 section; uniform bool subjectOnly;
  varying float vOwner; varying float vCut; varying vec3 vAt;
  void main() {
    if (subjectOnly && vOwner < 0.0) discard;
    if (vCut > 1.5 || (vCut > 0.5 && dot(cutPlane.xyz, vAt) > cutPlane.w)) discard;
    if (dot(section.xyz, vAt) > section.w) discard;
    float n = floor(abs(vOwner) + 0.5);
    gl_FragColor = vec4(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0), 255.0) / 255.0;
  }`;

export interface Seen {
  visible: number; // part of the subject's pixels that no obstacle covers
  pixels: number; // of the subject, if it were alone
  bodies: Map<number, number>; // pixels of each body that is seen
  hiders: Map<number, number>; // obstacles, and how many pixels of the subject each covers
}

export class Sight {
  private target?: THREE.WebGLRenderTarget;
  private scene = new THREE.Scene();
  private material = new THREE.ShaderMaterial({
    vertexShader: kVertex, fragmentShader: kFragment, side: THREE.DoubleSide,
    uniforms: {
      cutPlane: { value: new THREE.Vector4() }, section: { value: new THREE.Vector4() }, subjectOnly: { value: false },
    },
  });

  constructor(objects: { surface: THREE.BufferGeometry; lines: THREE.BufferGeometry; dots: THREE.BufferGeometry }) {
    const made = [new THREE.Mesh(objects.surface, this.material), new THREE.LineSegments(objects.lines, this.material), new THREE.Points(objects.dots, this.material)];
    for (const object of made) {
      object.frustumCulled = false;
      this.scene.add(object);
    }
  }

  dispose() {
    this.target?.dispose();
    this.material.dispose();
  }

  private draw(renderer: THREE.WebGLRenderer, camera: THREE.Camera, subjectOnly: boolean): Uint32Array {
    const { width, height } = this.target!;
    this.material.uniforms.subjectOnly!.value = subjectOnly;
    const keptColour = renderer.getClearColor(new THREE.Color()), keptAlpha = renderer.getClearAlpha();
    renderer.setRenderTarget(this.target!);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.shadowMap.enabled = false;
    renderer.render(this.scene, camera);
    renderer.shadowMap.enabled = true;
    const bytes = new Uint8Array(4 * width * height);
    renderer.readRenderTargetPixels(this.target!, 0, 0, width, height, bytes);
    renderer.setRenderTarget(null);
    renderer.setClearColor(keptColour, keptAlpha);
    return Uint32Array.from({ length: width * height }, (_, i) => bytes[4 * i]! + 256 * bytes[4 * i + 1]! + 65536 * bytes[4 * i + 2]!);
  }

  // isObstacle: by body.
  look(
    renderer: THREE.WebGLRenderer, camera: THREE.PerspectiveCamera, isObstacle: (body: number) => boolean,
    cutPlane: THREE.Plane | null, section: THREE.Plane | null,
  ): Seen {
    const height = Math.max(Math.round(kWidth / camera.aspect), 16);
    if (this.target?.height !== height) {
      this.target?.dispose();
      this.target = new THREE.WebGLRenderTarget(kWidth, height, { colorSpace: THREE.NoColorSpace });
    }
    // A plane of three.js keeps n · x + c ≥ 0; here n · x > w is left out.
    const toVector = (plane: THREE.Plane | null) =>
      plane ? new THREE.Vector4(-plane.normal.x, -plane.normal.y, -plane.normal.z, plane.constant) : new THREE.Vector4(0, 0, 0, 1);
    this.material.uniforms.cutPlane!.value = toVector(cutPlane);
    this.material.uniforms.section!.value = toVector(section);
    const alone = this.draw(renderer, camera, true), all = this.draw(renderer, camera, false);
    const seen: Seen = { visible: 1, pixels: 0, bodies: new Map(), hiders: new Map() };
    const add = (counts: Map<number, number>, body: number) => counts.set(body, (counts.get(body) ?? 0) + 1);
    let free = 0;
    for (let i = 0; i < all.length; ++i) {
      if (all[i]) add(seen.bodies, all[i]! - 1);
      if (!alone[i]) continue;
      ++seen.pixels;
      if (all[i] && isObstacle(all[i]! - 1)) add(seen.hiders, all[i]! - 1);
      else ++free;
    }
    if (seen.pixels > 0) seen.visible = free / seen.pixels;
    return seen;
  }
}
