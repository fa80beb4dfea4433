// The hand: bodies are grabbed by the pointer or by keys, and drawn to where it is, with the forces shown as arrows.
import * as THREE from 'three';
import type { FrameData } from './frames';
import { pick, placeOf, type Picked } from './pick';
import type { Held, Message, PlayChannel, PlayStatus } from './play_channel';
import type { Viewer } from './viewer';

const kSlack = 6; // how near the pointer must be to a wire or point [pixels]
const kKeyStep = 0.03; // of a move by key, in radii of the scene
const kRemembered = 1024; // targets on their way
const kStill = 200; // without a frame for so long, a move alone draws the scene anew [ms]

interface Hold extends Picked {
  name: string;
  target: THREE.Vector3; // relative to the origin, as all places here
  normal: THREE.Vector3; // of the plane in which the pointer moves it
}

export class Hand {
  hold: Hold | null = null;
  chosen = -1; // the body that keys act on
  strength = 5;
  latency = 0; // from a target to the picture of its step, a running mean [ms]
  latencies: number[] = [];
  private sent = new Map<string, number>(); // when each target was sent
  private drawn = new THREE.Group();
  private material = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });
  private label = document.createElement('div');
  private held: Held[] = [];
  private takenAt = 0; // the newest frame

  constructor(private viewer: Viewer, private channel: PlayChannel, private canvas: HTMLCanvasElement) {
    this.label.id = 'force_label';
    canvas.parentElement!.append(this.label);
    viewer.stage.scene.add(this.drawn);
    // Before the camera's own controls see them.
    const listen = <T extends Event>(type: string, act: (event: T) => void) =>
      canvas.parentElement!.addEventListener(type, act as EventListener, { capture: true, passive: false });
    listen<PointerEvent>('pointerdown', (event) => this.press(event));
    listen<PointerEvent>('pointermove', (event) => this.drag(event));
    listen<PointerEvent>('pointerup', () => this.release());
    listen<PointerEvent>('pointercancel', () => this.release());
    listen<PointerEvent>('lostpointercapture', () => this.release());
    listen<WheelEvent>('wheel', (event) => this.roll(event));
    window.addEventListener('blur', () => this.release());
    window.addEventListener('pagehide', () => this.hold && channel.leave([{ do: 'release', body: this.hold.name }]));
  }

  private rayAt(x: number, y: number): THREE.Ray {
    const box = this.canvas.getBoundingClientRect(), caster = new THREE.Raycaster();
    const at = new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.viewer.stage.camera.updateMatrixWorld();
    caster.setFromCamera(at, this.viewer.stage.camera);
    return caster.ray;
  }

  private canGrab(body: number): boolean {
    return this.viewer.run.play!.bodies[body]?.can_move ?? false;
  }

  private pickOn(ray: THREE.Ray, isMet: (body: number) => boolean): Picked | null {
    const { viewer } = this, { camera } = viewer.stage;
    const slack = (kSlack * 2 * Math.tan((camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    return viewer.frame ? pick(ray, viewer.prepared, viewer.frame, slack, (b) => viewer.bodies!.isVisible[b]! && isMet(b)) : null;
  }

  private press(event: PointerEvent) {
    if (event.target !== this.canvas || event.button !== 0 || event.shiftKey || this.hold) return;
    const picked = this.pickOn(this.rayAt(event.clientX, event.clientY), (b) => !this.viewer.bodies!.isOpened(b));
    if (!picked || !this.canGrab(picked.body)) return; // the camera turns
    event.preventDefault();
    event.stopPropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.grab(picked);
  }

  grab(picked: Picked) {
    const { prepared, run, stage } = this.viewer, { first_point } = run.play!.bodies[picked.body]!;
    const normal = stage.camera.getWorldDirection(new THREE.Vector3());
    this.hold = { ...picked, name: prepared.bodies[picked.body]!.name, target: picked.at.clone(), normal };
    this.chosen = picked.body;
    // Vertices on a crease share a point.
    const weights = new Map<number, number>();
    picked.vertices.forEach((v, i) => {
      const point = prepared.runPoints[prepared.pointOf[v]!]! - first_point;
      weights.set(point, (weights.get(point) ?? 0) + picked.weights[i]!);
    });
    const sum = [...weights.values()].reduce((a, b) => a + b);
    this.send({
      do: 'grab', body: this.hold.name, points: [...weights.keys()], weights: [...weights.values()].map((w) => w / sum), strength: this.strength,
    });
  }

  // With the target as the program takes it.
  private send(message: Message) {
    const target = this.world(this.hold!.target);
    this.sent.set(target.join(), performance.now());
    while (this.sent.size > kRemembered) this.sent.delete(this.sent.keys().next().value!);
    this.channel.send({ ...message, target });
    // While frames come, the next one shows the move, and drawing twice would only make it later.
    if (performance.now() - this.takenAt > kStill) this.draw();
  }

  private world = (v: THREE.Vector3) => v.toArray().map((x, i) => x + this.viewer.prepared.origin[i]!);
  private local = (v: number[]) => new THREE.Vector3(...v.map((x, i) => x - this.viewer.prepared.origin[i]!));

  private drag(event: PointerEvent) {
    if (!this.hold || event.buttons === 0) return;
    event.stopPropagation();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.hold.normal, this.hold.target);
    const at = this.rayAt(event.clientX, event.clientY).intersectPlane(plane, new THREE.Vector3());
    if (!at) return;
    this.hold.target.copy(at);
    this.send({ do: 'move', body: this.hold.name });
  }

  // Nearer or farther while something is held.
  private roll(event: WheelEvent) {
    if (!this.hold) return;
    event.preventDefault();
    event.stopPropagation();
    this.moveBy(0, 0, Math.sign(event.deltaY));
  }

  // In steps to the right, up, and away from the camera.
  moveBy(right: number, up: number, away: number) {
    if (!this.hold) return;
    const { stage } = this.viewer, step = kKeyStep * stage.scopeRadius, axes = [0, 1, 2].map(() => new THREE.Vector3());
    stage.camera.matrixWorld.extractBasis(axes[0]!, axes[1]!, axes[2]!);
    [right, up, -away].forEach((k, i) => this.hold!.target.addScaledVector(axes[i]!, k * step));
    this.send({ do: 'move', body: this.hold.name });
  }

  release() {
    if (!this.hold) return;
    this.channel.send({ do: 'release', body: this.hold.name });
    this.drop();
  }

  // Nothing is held any more.
  drop() {
    this.hold = null;
    this.viewer.stage.invalidate();
  }

  // The next body that can be grabbed.
  chooseNext(by: number): string | null {
    const { bodies } = this.viewer.prepared;
    for (let k = 1; k <= bodies.length; ++k) {
      const body = (this.chosen + k * by + bodies.length * (k + 1)) % bodies.length;
      if (!this.canGrab(body) || !this.viewer.bodies!.isVisible[body]) continue;
      this.chosen = body;
      return bodies[body]!.name;
    }
    return null;
  }

  // Without a pointer: where the chosen body is seen first on the way to its middle.
  grabChosen() {
    const { viewer } = this;
    if (this.hold) return this.release();
    if (this.chosen < 0) this.chooseNext(1);
    const body = viewer.prepared.bodies[this.chosen];
    if (!body || !viewer.frame) return;
    const box = new THREE.Box3(), one = new THREE.Vector3(), { pointOf } = viewer.prepared;
    for (let v = 0; v < pointOf.length; ++v) {
      const point = pointOf[v]!;
      if (point >= body.points[0] && point < body.points[0] + body.points[1]) box.expandByPoint(one.fromArray(viewer.frame.positions, 3 * v));
    }
    const origin = viewer.stage.camera.position.clone(), middle = box.getCenter(new THREE.Vector3());
    const only = (b: number) => b === this.chosen;
    const picked = this.pickOn(new THREE.Ray(origin, middle.sub(origin).normalize()), only) ?? this.nearestVertex(origin);
    if (picked) this.grab(picked);
  }

  // Of the chosen body.
  private nearestVertex(from: THREE.Vector3): Picked | null {
    const { pointOf, bodies } = this.viewer.prepared, range = bodies[this.chosen]!.points, one = new THREE.Vector3();
    let best: Picked | null = null;
    for (let v = 0; v < pointOf.length; ++v) {
      if (pointOf[v]! < range[0] || pointOf[v]! >= range[0] + range[1]) continue;
      const distance = one.fromArray(this.viewer.frame!.positions, 3 * v).distanceTo(from);
      if (!best || distance < best.distance) best = { body: this.chosen, vertices: [v], weights: [1], at: one.clone(), distance };
    }
    return best;
  }

  // A new frame is shown, and will be drawn together with the lines.
  take(status: PlayStatus) {
    this.held = status.held ?? [];
    this.takenAt = performance.now();
    this.draw();
  }

  // The frame has been drawn.
  measure() {
    const own = this.held.find((held) => held.body === this.hold?.name), key = own?.target.join();
    if (key && this.sent.has(key)) {
      const passed = performance.now() - this.sent.get(key)!;
      // Earlier ones were passed over.
      for (const target of this.sent.keys()) {
        this.sent.delete(target);
        if (target === key) break;
      }
      this.latencies.push(passed);
      if (this.latencies.length > 1000) this.latencies.shift();
      this.latency += (this.latency > 0 ? 0.2 : 1) * (passed - this.latency);
    }
  }

  // A line from where a body is held to its target, as red as the force is near to its limit.
  private draw() {
    for (const line of this.drawn.children as THREE.Line[]) line.geometry.dispose();
    this.drawn.clear();
    const { hold } = this, { frame, stage } = this.viewer;
    this.label.hidden = true;
    for (const held of this.held) {
      const isOwn = held.body === hold?.name;
      const from = isOwn && frame ? placeOf(hold!, frame) : this.local(held.at);
      const to = isOwn ? hold!.target : this.local(held.target);
      const share = Math.min(1, held.force / held.most);
      const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([from, to]), this.material.clone());
      (line.material as THREE.LineBasicMaterial).color.setHSL(0.33 * (1 - share), 0.9, 0.4);
      line.renderOrder = 20;
      line.frustumCulled = false;
      const ball = new THREE.Points(new THREE.BufferGeometry().setFromPoints([to]), new THREE.PointsMaterial({
        color: isOwn ? '#d03020' : '#606870', size: 9, sizeAttenuation: false, depthTest: false, transparent: true,
      }));
      ball.renderOrder = 21;
      ball.frustumCulled = false;
      this.drawn.add(line, ball);
      if (!isOwn) continue;
      const seen = to.clone().project(stage.camera), { clientWidth: width, clientHeight: height } = this.canvas;
      this.label.hidden = false;
      this.label.textContent = `${held.force.toPrecision(3)} N${share > 0.98 ? ' (most)' : ''}`;
      this.label.style.transform = `translate(${((seen.x + 1) / 2) * width + 12}px, ${((1 - seen.y) / 2) * height - 10}px)`;
    }
    stage.invalidate();
  }

  // Of this frame, for tests: where the held point is in the world.
  heldPlace(frame: FrameData): number[] | null {
    return this.hold ? this.world(placeOf(this.hold, frame)) : null;
  }
}
