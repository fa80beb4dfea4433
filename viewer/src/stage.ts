// Renderer, lights, ground and camera. Draws when something changed; when nothing moves it goes on to draw
// the same picture under other lights of the sky and averages them: soft shadows, dark corners, smooth edges.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
import { looks, type Theme } from './colours';
import { kFieldOfView } from './framing';
import { buildGround } from './ground';

export interface CameraPose {
  position: [number, number, number]; // in the world [m]
  target: [number, number, number];
}

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
  private level: number | null = null; // of the ground
  private radius = 1;
  private focus = new THREE.Vector3();
  private theme: Theme = 'light';
  private isDirty = true;
  cameraMoved = false; // since somebody cleared it
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
    this.renderer.localClippingEnabled = true;
    this.renderer.toneMapping = THREE.NoToneMapping;
    for (const light of [this.sun, this.fill]) this.scene.add(light, light.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.scene.add(this.sky, this.ground);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => {
      this.cameraMoved = true;
      this.invalidate();
    });
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
    this.buildGround();
    this.invalidate();
  }

  get scopeRadius(): number {
    return this.radius;
  }

  // What is shown: the lights and the ground reach round it. level: of the ground; null: there is none.
  setScope(box: THREE.Box3, level: number | null) {
    box.getCenter(this.focus);
    this.radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    this.level = level;
    this.camera.near = this.radius / 200;
    this.camera.far = this.radius * 200;
    this.camera.updateProjectionMatrix();
    this.buildGround();
    this.aimLight(this.sun, new THREE.Vector3(0.45, 1, 0.55));
    this.aimLight(this.fill, new THREE.Vector3(-0.8, 0.35, -0.5));
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
    light.shadow.normalBias = 0.005 * this.radius;
    light.shadow.bias = -0.0004;
  }

  // Puts the camera somewhere, relative to the origin.
  place(position: THREE.Vector3, target: THREE.Vector3) {
    this.controls.target.copy(target);
    this.camera.position.copy(position);
    this.controls.update();
    this.camera.updateMatrixWorld();
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

  private buildGround() {
    const level = this.level === null ? null : this.level - 1e-3 * this.radius;
    buildGround(this.ground, level, this.focus, this.radius, looks[this.theme]);
    // Without ground, light comes from below too.
    const below = this.theme === 'light' ? ['#b9b2a8', '#f0ece6'] : ['#4a4a52', '#7a7a86'];
    this.sky.groundColor.set(level === null ? below[1]! : below[0]!);
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
    this.sky.intensity = (isLight ? 0.85 : 0.6) + (this.level === null ? 0.35 : 0);
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
