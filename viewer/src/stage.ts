// Renderer, lights, ground and camera. Draws when something changed; when nothing moves it goes on to draw
// the same picture under other lights of the sky and averages them: soft shadows, dark corners, smooth edges.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
import { looks, type Theme } from './colours';

export interface CameraPose {
  position: [number, number, number]; // in the world [m]
  target: [number, number, number];
}

const kFieldOfView = 32; // [degrees]
const kSamples = 32; // of the sky, when nothing moves

// The k-th number of the Van der Corput sequence: even everywhere from the first on.
function radicalInverse(k: number, base: number): number {
  let result = 0, scale = 1 / base;
  for (; k > 0; k = Math.floor(k / base), scale /= base) result += (k % base) * scale;
  return result;
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(kFieldOfView, 1, 0.01, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  private sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1);
  private sun = new THREE.DirectionalLight(0xfff4e6, 2);
  private fill = new THREE.DirectionalLight(0xdfe9ff, 0.4);
  private ground = new THREE.Group();
  private radius = 1;
  private floor = 0;
  private span = new THREE.Vector3();
  private focus = new THREE.Vector3();
  private theme: Theme = 'light';
  private isDirty = true;
  private sample = 0;
  private sum?: THREE.WebGLRenderTarget;
  private one?: THREE.WebGLRenderTarget;
  private addQuad = new FullScreenQuad(makeAddMaterial());
  private showQuad = new FullScreenQuad(makeShowMaterial());
  maxSamples = kSamples;
  drawnFrames = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NoToneMapping;
    for (const light of [this.sun, this.fill]) this.scene.add(light, light.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.scene.add(this.sky, this.ground);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    this.setTheme('light');
  }

  // Something is different: draw anew.
  invalidate() {
    this.isDirty = true;
  }

  resize(width: number, height: number, pixelRatio: number) {
    this.renderer.setPixelRatio(pixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.sum?.dispose();
    this.one?.dispose();
    this.sum = this.one = undefined;
    this.invalidate();
  }

  setTheme(theme: Theme) {
    this.theme = theme;
    const look = looks[theme];
    this.scene.background = new THREE.Color(look.background);
    this.sky.color.set(theme === 'light' ? '#ffffff' : '#cfd8ea');
    this.sky.groundColor.set(theme === 'light' ? '#b9b2a8' : '#4a4a52');
    this.buildGround();
    this.invalidate();
  }

  // box: lower and upper corner of all that is shown over time, relative to the origin. floor: the lowest point.
  setExtent(box: number[], floor: number, isNew: boolean) {
    const lower = new THREE.Vector3().fromArray(box), upper = new THREE.Vector3().fromArray(box, 3);
    this.focus.copy(lower).add(upper).multiplyScalar(0.5);
    this.radius = Math.max(upper.distanceTo(lower) / 2, 1e-6);
    this.floor = Math.min(floor, lower.y) - 2e-3 * this.radius;
    this.span.copy(upper).sub(lower);
    this.camera.near = this.radius / 200;
    this.camera.far = this.radius * 200;
    this.camera.updateProjectionMatrix();
    this.buildGround();
    this.aimLight(this.sun, new THREE.Vector3(0.45, 1, 0.55));
    this.aimLight(this.fill, new THREE.Vector3(-0.8, 0.35, -0.5));
    if (isNew) this.look(new THREE.Vector3(0.55, 0.38, 1));
    this.invalidate();
  }

  private aimLight(light: THREE.DirectionalLight, direction: THREE.Vector3) {
    const reach = 1.6 * this.radius;
    light.target.position.copy(this.focus);
    light.position.copy(this.focus).addScaledVector(direction.clone().normalize(), 3 * this.radius);
    light.target.updateMatrixWorld();
    const camera = light.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.05 * this.radius;
    camera.far = 6.5 * this.radius;
    camera.updateProjectionMatrix();
    light.shadow.normalBias = 0.004 * this.radius;
    light.shadow.bias = -0.0004;
  }

  // Looks at everything from a direction, as near as lets every corner of the box be seen.
  look(direction: THREE.Vector3) {
    const towards = direction.clone().normalize();
    this.camera.position.copy(this.focus).addScaledVector(towards, this.radius);
    this.camera.lookAt(this.focus);
    const tall = Math.tan((kFieldOfView * Math.PI) / 360) * 0.88, wide = tall * this.camera.aspect;
    const axes = [0, 1, 2].map((k) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, k));
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const at = new THREE.Vector3(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5).multiply(this.span);
      const across = Math.max(Math.abs(at.dot(axes[0]!)) / wide, Math.abs(at.dot(axes[1]!)) / tall);
      distance = Math.max(distance, across + at.dot(axes[2]!));
    }
    this.controls.target.copy(this.focus);
    this.camera.position.copy(this.focus).addScaledVector(towards, Math.max(distance, 0.1 * this.radius));
    this.controls.update();
    this.invalidate();
  }

  // Looks closely at a place.
  approach(point: THREE.Vector3, size: number) {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(point);
    this.camera.position.copy(point).addScaledVector(direction, Math.max(6 * size, 0.05 * this.radius));
    this.camera.near = Math.min(this.camera.near, size / 10);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  orbit(yaw: number, pitch: number) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const place = new THREE.Spherical().setFromVector3(offset);
    place.theta += yaw;
    place.phi = Math.min(Math.max(place.phi + pitch, 0.02), Math.PI - 0.02);
    this.camera.position.setFromSpherical(place).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor: number) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }

  pose(origin: number[]): CameraPose {
    const world = (v: THREE.Vector3) => v.toArray().map((x, i) => x + origin[i]!) as [number, number, number];
    return { position: world(this.camera.position), target: world(this.controls.target) };
  }

  setPose(pose: CameraPose, origin: number[]) {
    this.camera.position.fromArray(pose.position.map((x, i) => x - origin[i]!));
    this.controls.target.fromArray(pose.target.map((x, i) => x - origin[i]!));
    this.controls.update();
    this.invalidate();
  }

  // A disc under everything that fades into the background, and lines on it a round length apart.
  private buildGround() {
    for (const child of [...this.ground.children]) {
      this.ground.remove(child);
      (child as THREE.Mesh).geometry.dispose();
    }
    const look = looks[this.theme];
    const reach = 7 * this.radius;
    const disc = makeDisc(reach, new THREE.Color(look.ground));
    disc.position.set(this.focus.x, this.floor, this.focus.z);
    const spacing = roundLength(this.radius / 3);
    const grid = makeGrid(reach * 0.55, spacing, this.focus, new THREE.Color(look.grid));
    grid.position.y = this.floor + 1e-3 * this.radius;
    this.ground.add(disc, grid);
  }

  // Draws if needed; answers whether anything was drawn.
  draw(isMoving: boolean): boolean {
    if (this.isDirty) {
      this.isDirty = false;
      this.sample = 0;
      this.useSky(-1);
      this.renderer.render(this.scene, this.camera);
      ++this.drawnFrames;
      return true;
    }
    if (isMoving || this.sample >= this.maxSamples) return false;
    this.addSample();
    this.showSum();
    return true;
  }

  // Draws the averaged picture at once.
  drawFinished(samples: number) {
    this.isDirty = false;
    this.sample = 0;
    if (samples <= 1) {
      this.useSky(-1);
      this.renderer.render(this.scene, this.camera);
      this.sample = this.maxSamples;
      return;
    }
    this.maxSamples = samples;
    while (this.sample < samples) this.addSample();
    this.showSum();
  }

  // Lights: the sun from somewhere in its disc; for sample k ≥ 0 one direction of the sky with a shadow of its
  // own instead of the even sky.
  private useSky(k: number) {
    const isLight = this.theme === 'light';
    const sunny = new THREE.Vector3(0.45, 1, 0.55);
    if (k < 0) {
      this.sky.intensity = isLight ? 2.0 : 1.5;
      this.sun.intensity = isLight ? 1.75 : 1.6;
      this.fill.intensity = 0.25;
      this.fill.castShadow = false;
      this.aimLight(this.sun, sunny);
      this.aimLight(this.fill, new THREE.Vector3(-0.8, 0.35, -0.5));
      return;
    }
    // Two lights share the samples: even ones are the sun's, both carry a direction of the sky.
    const u = radicalInverse(k + 1, 2), v = radicalInverse(k + 1, 3), w = radicalInverse(k + 1, 5);
    const jitter = new THREE.Vector3(u - 0.5, 0, v - 0.5).multiplyScalar(0.3);
    this.aimLight(this.sun, sunny.add(jitter));
    const height = Math.sqrt(1 - 0.93 * w), angle = 2 * Math.PI * u; // more from above
    const flat = Math.sqrt(1 - height * height);
    this.aimLight(this.fill, new THREE.Vector3(flat * Math.cos(angle), height, flat * Math.sin(angle)));
    this.fill.castShadow = true;
    this.fill.shadow.mapSize.set(1024, 1024);
    this.fill.intensity = isLight ? 1.9 : 1.5;
    this.sun.intensity = isLight ? 1.45 : 1.4;
    this.sky.intensity = isLight ? 0.85 : 0.6;
  }

  private addSample() {
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    if (!this.sum || !this.one) {
      const options = { type: THREE.HalfFloatType, colorSpace: THREE.NoColorSpace };
      this.sum = new THREE.WebGLRenderTarget(size.x, size.y, { ...options, type: THREE.FloatType, depthBuffer: false });
      this.one = new THREE.WebGLRenderTarget(size.x, size.y, { ...options, samples: 0 });
    }
    this.useSky(this.sample);
    // A different place within the pixel each time.
    const dx = radicalInverse(this.sample + 1, 2) - 0.5, dy = radicalInverse(this.sample + 1, 3) - 0.5;
    this.camera.setViewOffset(size.x, size.y, 1.2 * dx, 1.2 * dy, size.x, size.y);
    this.renderer.setRenderTarget(this.one);
    this.renderer.render(this.scene, this.camera);
    this.camera.clearViewOffset();
    this.renderer.setRenderTarget(this.sum);
    this.renderer.autoClear = this.sample === 0;
    const material = this.addQuad.material as THREE.ShaderMaterial;
    material.uniforms.picture!.value = this.one.texture;
    this.addQuad.render(this.renderer);
    this.renderer.autoClear = true;
    this.renderer.setRenderTarget(null);
    ++this.sample;
  }

  private showSum() {
    const material = this.showQuad.material as THREE.ShaderMaterial;
    material.uniforms.sum!.value = this.sum!.texture;
    material.uniforms.scale!.value = 1 / this.sample;
    this.renderer.setRenderTarget(null);
    this.showQuad.render(this.renderer);
    ++this.drawnFrames;
  }
}

const kQuadVertex = 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }';

function makeAddMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { picture: { value: null } },
    vertexShader: kQuadVertex,
    fragmentShader: 'uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = vec4(texture2D(picture, at).rgb, 1.0); }',
    blending: THREE.CustomBlending, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
    depthTest: false, depthWrite: false, transparent: true,
  });
}

function makeShowMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { sum: { value: null }, scale: { value: 1 } },
    vertexShader: kQuadVertex,
    fragmentShader: `uniform sampler2D sum; uniform float scale; varying vec2 at;
      void main() { gl_FragColor = vec4(scale * texture2D(sum, at).rgb, 1.0); gl_FragColor = linearToOutputTexel(gl_FragColor); }`,
    depthTest: false, depthWrite: false,
  });
}

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
