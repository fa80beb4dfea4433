// The controls around the picture, and what they say.
import { Charts } from './charts';
import { bodyColours, formatValue, kColourNames, kUnits, scaleGradient } from './colours';
import { control } from './connection';
import { Player, speeds } from './player';
import { ResultsPanel } from './results_panel';
import type { Viewer } from './viewer';

const kOverlayNames: { [name: string]: string } = {
  wireframe: 'Wireframe', medial: 'Medial spheres and cones', contacts: 'Contacts', forces: 'Contact forces', smallest_gap: 'Smallest gap',
  joints: 'Joints', handles: 'Handles',
};
const kShownBodies = 500;

export function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function setText(target: HTMLElement, text: string) {
  if (target.textContent !== text) target.textContent = text;
}

export class Panel {
  readonly charts: Charts;
  private readonly results: ResultsPanel;
  private isReachable = true;
  private listed = '';

  constructor(private viewer: Viewer, readonly player: Player) {
    this.charts = new Charts(element('charts'), viewer.metrics, (step) => this.goTo(viewer.frameAtStep(step)));
    this.results = new ResultsPanel(viewer, () => this.update());
    const colour = element<HTMLSelectElement>('colour');
    colour.onchange = () => this.setColour(colour.value);
    const speed = element<HTMLSelectElement>('speed');
    speed.replaceChildren(...speeds.map((s) => new Option(`${s}×`, String(s), s === 1, s === 1)));
    speed.onchange = () => (player.speed = Number(speed.value));
    element<HTMLInputElement>('loop').onchange = (e) => (player.loops = (e.target as HTMLInputElement).checked);
    element<HTMLInputElement>('follow').onchange = (e) => this.setFollow((e.target as HTMLInputElement).checked);
    element<HTMLInputElement>('timeline').oninput = (e) => this.goTo(Number((e.target as HTMLInputElement).value));
    element('play').onclick = () => this.togglePlay();
    element('first').onclick = () => this.goTo(0);
    element('back').onclick = () => this.goTo(viewer.wanted - 1);
    element('forward').onclick = () => this.goTo(viewer.wanted + 1);
    element('last').onclick = () => this.goTo(viewer.frameCount - 1);
    element('theme_button').onclick = () => this.toggleTheme();
    element('live_pause').onclick = () => this.control(viewer.run.status.state === 'paused' ? 'continue' : 'pause');
    element('live_step').onclick = () => this.control('step');
    element('live_stop').onclick = () => this.control('stop');
    element('section_axis').onchange = () => this.takeSection();
    element('section_at').oninput = () => this.takeSection();
    element('scale_bar').style.background = scaleGradient;
  }

  goTo(index: number) {
    this.player.isPlaying = false;
    this.player.follows = false;
    void this.player.seek(index);
    this.update();
  }

  togglePlay() {
    this.player.play(!this.player.isPlaying);
    this.update();
  }

  setFollow(on: boolean) {
    this.player.follows = on;
    if (on) this.player.isPlaying = false;
    this.update();
  }

  setColour(mode: string) {
    this.viewer.look.colour = mode;
    this.viewer.applyLook();
    this.update();
  }

  // Cuts everything at a share of the box of all frames.
  private takeSection() {
    const { viewer } = this, axis = element<HTMLSelectElement>('section_axis').value, { box } = viewer;
    const share = Number(element<HTMLInputElement>('section_at').value), k = Number(axis);
    const normal = [0, 0, 0] as [number, number, number];
    normal[k] = 1;
    viewer.look.section = axis ? { normal, offset: box[k]! + share * (box[k + 3]! - box[k]!), faces_camera: true } : null;
    element('section_at').hidden = !axis;
    viewer.reopen();
  }

  toggleTheme() {
    this.viewer.look.theme = this.viewer.look.theme === 'light' ? 'dark' : 'light';
    this.viewer.applyLook();
    this.update();
  }

  toggleOverlay(name: string) {
    const { look } = this.viewer;
    look.overlays = look.overlays.includes(name) ? look.overlays.filter((other) => other !== name) : [...look.overlays, name];
    this.viewer.applyLook();
    this.update();
  }

  async control(action: 'pause' | 'step' | 'continue' | 'stop') {
    try {
      if (action !== 'stop') this.setFollow(true);
      await control(action);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  setReachable(reachable: boolean) {
    this.isReachable = reachable;
    this.update();
  }

  // A message that goes by itself; the same one only once.
  say(text: string) {
    const box = element('messages');
    if ([...box.children].some((child) => child.textContent === text)) return;
    const line = document.createElement('p');
    line.textContent = text;
    box.append(line);
    while (box.children.length > 4) box.firstChild!.remove();
    setTimeout(() => line.remove(), 8000);
  }

  // After a load: what does not change from frame to frame.
  rebuild() {
    const { viewer } = this;
    this.listed = '';
    this.listBodies();
    setText(element('name'), viewer.run.name);
    document.title = `${viewer.run.name} – Marrow`;
    const triangles = viewer.prepared.corners.length / 3;
    setText(element('facts'), `${viewer.prepared.bodies.length.toLocaleString('en')} bodies, ${triangles.toLocaleString('en')} triangles`);
    element('facts').title = viewer.run.path;
    this.listMarks();
    this.update();
  }

  private listBodies() {
    const { viewer } = this, { bodies } = viewer.prepared;
    const colours = bodyColours(bodies, viewer.look.colour);
    const rows = bodies.slice(0, kShownBodies).map((body, b) => {
      const row = document.createElement('li'), label = document.createElement('label');
      const box = document.createElement('input'), swatch = document.createElement('span');
      const name = document.createElement('span'), size = document.createElement('span');
      box.type = 'checkbox';
      box.checked = viewer.bodies!.isVisible[b]!;
      box.onchange = () => {
        viewer.bodies!.setVisible(b, box.checked);
        viewer.stage.invalidate();
      };
      swatch.className = 'swatch';
      swatch.style.background = colours[b]!;
      name.className = 'name';
      name.textContent = body.name;
      size.className = 'size';
      size.textContent = body.kind;
      const counts = [`${body.triangles[1].toLocaleString('en')} triangles`, `${body.points[1].toLocaleString('en')} points drawn`];
      if (body.tets) counts.push(`${body.tets.toLocaleString('en')} tets`);
      label.title = `${body.name} (${body.kind}): ${counts.join(', ')}`;
      size.textContent = `${body.kind} ${formatValue(body.triangles[1] || body.edges[1] || body.points[1], '')}`;
      label.append(box, swatch, name, size);
      row.append(label);
      return row;
    });
    element('bodies').replaceChildren(...rows);
    const more = bodies.length - rows.length;
    setText(element('bodies_title'), more > 0 ? `Bodies (the first ${rows.length} of ${bodies.length})` : `Bodies (${bodies.length})`);
  }

  private listMarks() {
    const marks = this.viewer.marks?.marks ?? [];
    element('marks_section').hidden = marks.length === 0;
    element('marks').replaceChildren(...marks.slice(0, 200).map((mark) => {
      const row = document.createElement('li'), button = document.createElement('button'), name = document.createElement('span');
      name.className = 'name';
      name.textContent = mark.step === null ? mark.text : `step ${mark.step}: ${mark.text}`;
      button.title = name.textContent;
      button.append(name);
      button.onclick = async () => {
        if (mark.step !== null) await this.player.seek(this.viewer.frameAtStep(mark.step));
        const { centre, size } = this.viewer.marks!.locate(mark, this.viewer.frame!);
        if (Number.isFinite(size)) this.viewer.stage.approach(centre, size);
        this.update();
      };
      row.append(button);
      return row;
    }));
  }

  private listOverlays() {
    const { viewer } = this;
    const names = ['wireframe', ...['medial', 'contacts', 'forces', 'smallest_gap', 'joints', 'handles'], ...viewer.overlayNames];
    element('overlays').replaceChildren(...[...new Set(names)].map((name) => {
      const label = document.createElement('label'), box = document.createElement('input');
      box.type = 'checkbox';
      box.id = `overlay_${name}`;
      box.checked = viewer.look.overlays.includes(name);
      box.disabled = name !== 'wireframe' && !viewer.overlayNames.has(name);
      box.onchange = () => this.toggleOverlay(name);
      label.title = box.disabled ? 'This run has none' : '';
      label.append(box, kOverlayNames[name] ?? name);
      return label;
    }));
  }

  private listColours() {
    const select = element<HTMLSelectElement>('colour'), modes = this.viewer.colourModes();
    select.replaceChildren(...modes.map((mode) => new Option(kColourNames[mode] ?? mode, mode)));
    select.value = this.viewer.look.colour;
  }

  // Everything that may differ from frame to frame.
  update() {
    const { viewer, player } = this;
    if (!viewer.prepared) return;
    const { look, run } = viewer;
    const lists = JSON.stringify([look, [...viewer.overlayNames], viewer.colourModes()]);
    if (lists !== this.listed) {
      this.listed = lists;
      this.listOverlays();
      this.listColours();
      this.listBodies();
      document.documentElement.dataset.theme = look.theme;
      setText(element('theme_button'), look.theme === 'light' ? 'Dark' : 'Light');
    }
    const timeline = element<HTMLInputElement>('timeline');
    timeline.max = String(Math.max(viewer.frameCount - 1, 0));
    timeline.value = String(viewer.wanted);
    const step = viewer.steps[viewer.wanted] ?? 0, time = viewer.times[viewer.wanted] ?? 0;
    timeline.setAttribute('aria-valuetext', `frame ${viewer.wanted}, ${time.toPrecision(4)} seconds`);
    setText(element('clock'), `frame ${viewer.wanted} of ${Math.max(viewer.frameCount - 1, 0)} · ${time.toFixed(3)} s · step ${step}`);
    setText(element('play'), player.isPlaying ? '❚❚' : '▶');
    element('play').setAttribute('aria-label', player.isPlaying ? 'Pause' : 'Play');
    element<HTMLInputElement>('follow').checked = player.follows;
    element<HTMLInputElement>('loop').checked = player.loops;
    this.updateScale();
    this.updateLive();
    this.results.update();
    this.charts.update(run.steps);
    this.charts.setStep(step);
  }

  private updateScale() {
    const { viewer } = this, mode = viewer.look.colour;
    element('scale').hidden = mode === 'body' || mode === 'kind';
    const { min, max } = viewer.valueRange();
    setText(element('scale_min'), formatValue(min, kUnits[mode] ?? ''));
    setText(element('scale_max'), formatValue(max, kUnits[mode] ?? ''));
  }

  private updateLive() {
    const { run, metrics, steps } = this.viewer, { state } = run.status;
    // Metrics and frames come in answers of their own; either may be ahead.
    const done = Math.max(metrics.steps[metrics.steps.length - 1] ?? 0, steps[steps.length - 1] ?? 0);
    const isGoing = state === 'running' || state === 'paused' || state === 'stopping' || state === 'elsewhere';
    element('progress').hidden = !isGoing || !run.steps;
    if (run.steps) {
      element<HTMLProgressElement>('progress_bar').value = done / run.steps;
      setText(element('progress_text'), `step ${done} of ${run.steps}`);
    }
    element('live').hidden = !run.live || state === 'ended';
    setText(element('live_pause'), state === 'paused' ? 'Continue run' : 'Pause run');
    for (const id of ['live_pause', 'live_step', 'live_stop']) {
      element<HTMLButtonElement>(id).disabled = !this.isReachable || state === 'stopping' || state === 'ended';
    }
    const words: { [state: string]: string } = {
      running: 'running', paused: 'run is paused', stopping: 'stopping after this step', ended: 'run has ended',
      elsewhere: 'running', still: '',
    };
    setText(element('state'), this.isReachable ? words[state] ?? '' : 'Connection lost. Trying again…');
    element('state').classList.toggle('lost', !this.isReachable);
  }
}
