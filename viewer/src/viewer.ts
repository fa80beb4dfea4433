// The viewer without its controls: a run, the frame shown, and how it is shown.
import * as THREE from 'three';
import { Bodies, type ValueRange } from './bodies';
import { FrameCache, FrameError } from './cache';
import type { ColourMode, Theme } from './colours';
import * as server from './connection';
import { Director } from './director';
import type { FrameData, Prepared } from './frames';
import { Metrics } from './metrics';
import { Links } from './links';
import { Marks, Overlays } from './overlays';
import type { SectionPlane } from './record';
import { kTables, Results } from './results';
import { Stage, type CameraPose } from './stage';

export interface Look {
  colour: ColourMode;
  overlays: string[]; // "wireframe" among them
  theme: Theme;
  range: ValueRange | null; // null: that of the run
  section: SectionPlane | null;
}

const kAimed = 6; // frames of a span that the camera looks at, less one

export class Viewer {
  readonly stage: Stage;
  readonly cache = new FrameCache();
  readonly metrics = new Metrics();
  readonly overlays = new Overlays();
  readonly results = new Results();
  run!: server.RunInfo;
  prepared!: Prepared;
  bodies?: Bodies;
  director!: Director;
  links?: Links;
  marks?: Marks;
  steps: number[] = [];
  times: number[] = [];
  box: number[] = [];
  ranges: { [name: string]: [number, number] } = {};
  overlayNames = new Set<string>();
  look: Look = { colour: 'body', overlays: [], theme: 'light', range: null, section: null };
  frame?: FrameData; // the one shown
  wanted = 0; // index of the one wanted
  markedCount = 0;
  private largestDisplacement = 0;
  private metricsBytes = 0;
  private resultBytes = new Map<string, number>();
  private wantsResults = false;
  private generation = 0;

  // Called when the lists grew, a frame is shown, or a frame could not be.
  onChange: () => void = () => undefined;
  onProblem: (text: string) => void = () => undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
    this.stage.scene.add(this.overlays.group);
  }

  get frameCount(): number {
    return this.steps.length;
  }

  // Loads the run from the beginning; keeps the camera if it was loaded before.
  async load() {
    this.run = await server.loadRun();
    const list = await server.loadFrames(0);
    this.generation = list.generation;
    this.steps = list.steps;
    this.times = list.times;
    this.takeExtent(list);
    this.prepared = await this.cache.prepare();
    const before = this.bodies && this.stage.pose(this.prepared.origin);
    if (this.bodies) {
      this.stage.scene.remove(this.bodies.group);
      this.bodies.dispose();
    }
    const first = await this.cache.get(this.firstFrame());
    this.bodies = new Bodies(this.prepared, first);
    this.bodies.setTheme(this.look.theme);
    this.stage.scene.add(this.bodies.group);
    this.largestDisplacement = 0;
    if (this.links) {
      this.stage.scene.remove(this.links.group);
      this.links.dispose();
    }
    this.links = new Links(this.prepared);
    this.stage.scene.add(this.links.group);
    this.director = new Director(this.stage, this.prepared, this.bodies);
    if (!before) this.takeSceneLook();
    await this.aim(before ?? this.scenePose() ?? this.prepared.view.side ?? null, [0, this.frameCount - 1]);
    await this.loadMarks();
    this.metrics.clear();
    this.metricsBytes = 0;
    this.metrics.extra = (steps) => this.results.series(steps);
    await this.loadMetrics();
    this.results.clear();
    this.resultBytes.clear();
    if (this.wantsResults) await this.loadResults();
    this.applyLook();
    await this.show(Math.min(this.wanted, this.frameCount - 1));
  }

  private firstFrame(): number {
    for (let i = 0; i < this.frameCount; ++i) if (this.cache.has(i)) return i;
    return 0;
  }

  private async loadMarks() {
    if (this.marks) this.stage.scene.remove(this.marks.group);
    this.marks = undefined;
    if (!this.run.has_marks) return;
    this.marks = new Marks(await server.loadMarks(), this.prepared);
    this.stage.scene.add(this.marks.group);
  }

  private takeExtent(list: server.FrameList) {
    this.box = list.box;
    this.ranges = list.ranges;
  }

  // What the scene says of its looks.
  private takeSceneLook() {
    const { view } = this.prepared;
    this.look = { ...this.look, colour: view.color ?? 'body', overlays: view.overlays ?? [], section: view.section ?? null };
    const isKnown = this.colourModes().includes(this.look.colour);
    if (!isKnown) this.onProblem(`The scene asks for colours by ${this.look.colour}, which this run lacks.`);
    if (!isKnown) this.look.colour = 'body';
  }

  // Where the scene puts the camera.
  scenePose(): CameraPose | null {
    const { camera, target } = this.prepared.view;
    return camera && target ? { position: camera, target } : null;
  }

  // Points the camera so that some frames of a span are seen well; nothing: the frame shown.
  async aim(from: string | THREE.Vector3 | CameraPose | null, span?: [number, number]) {
    const frames: FrameData[] = [], wanted = new Set<number>();
    const [first, last] = span ?? [this.wanted, this.wanted];
    for (let k = 0; k <= kAimed; ++k) wanted.add(Math.round(first + ((last - first) * k) / kAimed));
    for (const index of wanted) {
      try {
        frames.push(await this.cache.get(index));
      } catch (error) {
        if (!(error instanceof FrameError)) throw error; // a damaged one is reported when it is shown
      }
    }
    if (frames.length === 0) return;
    this.director.section = this.look.section;
    this.director.aim(from, frames);
    if (this.frame) this.bodies!.show(this.frame);
    this.drawLinks();
  }

  // Cuts open what hides the bodies from where the camera is now.
  reopen() {
    if (!this.frame) return;
    this.director.section = this.look.section;
    this.director.open([this.frame]);
  }

  // Takes in what has grown; everything anew if what was read is void.
  async catchUp(status: server.Status) {
    this.run.status = status;
    if (status.generation !== this.generation) {
      this.run.status = status;
      return this.load();
    }
    if (status.frames > this.frameCount) {
      const list = await server.loadFrames(this.frameCount);
      if (list.generation !== this.generation) return this.load();
      // Two of these may overlap: take only what is new.
      for (let i = 0; i < list.steps.length; ++i) {
        this.steps[list.from + i] = list.steps[i]!;
        this.times[list.from + i] = list.times[i]!;
      }
      this.takeExtent(list);
    }
    if (status.metrics_bytes > this.metricsBytes) {
      await this.loadMetrics();
      if (this.wantsResults) await this.loadResults();
    }
    this.onChange();
  }

  private async loadMetrics() {
    while (true) {
      const from = this.metricsBytes, text = await server.loadMetrics(from);
      if (text.length === 0 || this.metricsBytes !== from) return;
      this.metricsBytes += new TextEncoder().encode(text).length;
      this.metrics.add(text);
    }
  }

  // Reads what poses and forces there are, and from now on what is added.
  async loadResults() {
    this.wantsResults = true;
    for (const name of kTables) {
      for (let isMore = true; isMore;) {
        const from = this.resultBytes.get(name) ?? 0, text = await server.loadResults(name, from);
        isMore = text.length > 0 && (this.resultBytes.get(name) ?? 0) === from;
        if (!isMore) break;
        this.resultBytes.set(name, from + new TextEncoder().encode(text).length);
        this.results.tables.get(name)!.add(text);
      }
    }
  }

  // Shows a frame as soon as it is loaded, unless another is wanted by then. Answers whether it was shown.
  async show(index: number): Promise<boolean> {
    this.wanted = Math.max(0, Math.min(index, this.frameCount - 1));
    const wanted = this.wanted;
    try {
      const frame = await this.cache.get(wanted);
      if (this.wanted !== wanted && this.frame) return false;
      this.put(frame);
      return true;
    } catch (error) {
      if (error instanceof FrameError && !error.isDamage && error.message === 'passed over') return false;
      const text = error instanceof Error ? error.message : String(error);
      const isDamage = error instanceof FrameError && error.isDamage;
      this.onProblem(isDamage ? `Frame ${wanted} is damaged and skipped: ${text}.` : `Frame ${wanted} cannot be loaded: ${text}`);
      this.onChange();
      return false;
    }
  }

  private put(frame: FrameData) {
    this.frame = frame;
    for (const name of Object.keys(frame.overlays)) this.overlayNames.add(name);
    this.bodies!.show(frame);
    this.drawLook();
    this.onChange();
  }

  // A frame that came by itself takes the place of the one shown.
  showLive(frame: FrameData) {
    this.steps = [frame.step];
    this.times = [frame.time];
    const keepsColours = this.look.colour === 'body' || this.look.colour === 'kind';
    if (!keepsColours || !this.frame) return this.put(frame);
    this.frame = frame;
    this.bodies!.show(frame);
    this.overlays.show(frame);
    this.drawLinks();
    this.stage.invalidate();
    this.onChange();
  }

  // The range of values that the colours span.
  valueRange(): ValueRange {
    if (this.look.range) return this.look.range;
    if (this.look.colour === 'displacement') return { min: 0, max: this.largestDisplacement };
    const [min, max] = this.ranges[this.look.colour] ?? [0, 0];
    return { min: Math.min(min, 0), max };
  }

  applyLook() {
    this.stage.setTheme(this.look.theme);
    if (this.director) this.director.section = this.look.section;
    this.overlays.theme = this.look.theme;
    this.overlays.shown.clear();
    for (const name of this.look.overlays) this.overlays.shown.add(name);
    this.bodies?.setTheme(this.look.theme);
    this.bodies?.setWireframe(this.look.overlays.includes('wireframe'));
    this.drawLook();
  }

  private drawLook() {
    const { bodies, frame } = this;
    if (!bodies || !frame) return;
    if (this.look.colour === 'displacement') {
      this.largestDisplacement = Math.max(this.largestDisplacement, bodies.largestDisplacement(frame));
    }
    bodies.colour(this.look.colour, frame, this.valueRange());
    const solid = [...this.overlays.shown].some((name) => (frame.overlays[name]?.radii.length ?? 0) > 0);
    bodies.setSeeThrough(solid);
    this.overlays.show(frame);
    this.drawLinks();
    this.markedCount = this.marks?.show(frame, this.look.theme) ?? 0;
    this.stage.invalidate();
  }

  private drawLinks() {
    const isOn = !this.overlays.shown.has('joints');
    if (this.frame) this.links?.show(this.frame, this.bodies!.isVisible, this.stage.scopeRadius, isOn);
  }

  // Names of colour modes that this run offers.
  colourModes(): ColourMode[] {
    return ['body', 'kind', 'displacement', ...Object.keys(this.ranges)];
  }

  // The frame at or before a time.
  frameAtTime(time: number): number {
    let low = 0, high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! <= time + 1e-12) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  // The frame nearest to a step.
  frameAtStep(step: number): number {
    let best = 0;
    for (let i = 0; i < this.steps.length; ++i) {
      if (Math.abs(this.steps[i]! - step) < Math.abs(this.steps[best]! - step)) best = i;
    }
    return best;
  }
}
