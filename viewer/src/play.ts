// A scene that plays: frames as they come, the hand, the sliders, and what they say (docs/play.md).
import { Hand } from './hand';
import { element, type Panel } from './panel';
import { PlayChannel, type PlayStatus } from './play_channel';
import type { Viewer } from './viewer';

const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1];
const kGravity = 9.81; // of scenes without any [m/s²]

const slider = (id: string) => element<HTMLInputElement>(id);
const nextPicture = () => new Promise((done) => requestAnimationFrame(done));

interface Key {
  key: string;
  shown: string;
  does: string;
  act: () => void;
}

export class Play {
  readonly channel = new PlayChannel();
  readonly hand: Hand;
  status: PlayStatus = { number: 0 };
  frames = 0; // shown so far
  private pictures: number[] = []; // when they were drawn [ms]

  constructor(private viewer: Viewer, private panel: Panel, canvas: HTMLCanvasElement) {
    this.hand = new Hand(viewer, this.channel, canvas);
    this.channel.onProblem = (message, problem) => {
      panel.say(`${message.body ?? message.do}: ${problem}`);
      if (message.body === this.hand.hold?.name && (message.do === 'grab' || message.do === 'move')) this.hand.drop();
    };
    document.body.classList.add('plays');
    element('play_section').hidden = false;
    this.addSliders();
    this.addKeys();
    element('play_restart').onclick = () => this.restart();
    void this.channel.follow((status, record) => this.take(status, record));
  }

  private async take(status: PlayStatus, record: ArrayBuffer) {
    const frame = await this.viewer.cache.decode(record);
    this.viewer.showLive(frame);
    this.status = status;
    ++this.frames;
    this.hand.take(status);
    await nextPicture();
    this.hand.measure();
    this.pictures.push(performance.now());
    while (this.pictures[0]! < performance.now() - 2000) this.pictures.shift();
    this.describe();
  }

  private addSliders() {
    const { bodies } = this.viewer.prepared, facts = this.viewer.run.play!;
    const which = element<HTMLSelectElement>('play_body');
    which.replaceChildren(new Option('all bodies', ''), ...bodies.filter((_, b) => facts.bodies[b]?.can_strain).map(({ name }) => new Option(name, name)));
    slider('play_gravity').oninput = () => this.channel.send({ do: 'set', gravity: this.gravity() });
    slider('play_friction').oninput = () => this.channel.send({ do: 'set', friction: Number(slider('play_friction').value) });
    slider('play_stiffness').oninput = () => this.channel.send({
      do: 'set', stiffness: 10 ** Number(slider('play_stiffness').value), ...(which.value ? { body: which.value } : {}),
    });
    slider('play_speed').oninput = () => this.setSpeed(Number(slider('play_speed').value));
    slider('play_strength').oninput = () => (this.hand.strength = Number(slider('play_strength').value));
    slider('play_gravity').value = String(this.largest() > 0 ? Math.hypot(...facts.gravity) / this.largest() : 0);
    slider('play_friction').value = String(facts.friction);
    which.onchange = () => this.showSettings();
  }

  // Gravity that counts as 1 on the slider.
  private largest(): number {
    return Math.hypot(...this.viewer.run.play!.gravity) || kGravity;
  }

  private gravity(): number[] {
    const { gravity } = this.viewer.run.play!, size = Math.hypot(...gravity);
    const down = size > 0 ? gravity.map((g) => g / size) : [0, -1, 0];
    return down.map((d) => d * this.largest() * Number(slider('play_gravity').value));
  }

  private setSpeed(index: number) {
    const speed = kSpeeds[Math.max(0, Math.min(index, kSpeeds.length - 1))]!;
    this.channel.send({ do: 'speed', speed });
  }

  restart() {
    this.hand.release();
    this.channel.send({ do: 'restart' });
  }

  // The sliders show what the run has, also if another page has set it; but for the one in use.
  private showSettings() {
    const { gravity, friction, speed, stiffness } = this.status;
    const set = (id: string, value: number) => document.activeElement !== slider(id) && (slider(id).value = String(value));
    if (gravity) set('play_gravity', Math.hypot(...gravity) / this.largest());
    if (friction !== undefined) set('play_friction', friction);
    if (speed) set('play_speed', Math.max(0, kSpeeds.indexOf(speed)));
    const which = element<HTMLSelectElement>('play_body').value, values = Object.values(stiffness ?? {});
    const factor = which ? stiffness?.[which] ?? 1 : values.length > 0 && values.every((v) => v === values[0]) ? values[0]! : 1;
    set('play_stiffness', Math.log10(factor));
  }

  // Pictures per second.
  get rate(): number {
    const { pictures } = this, last = pictures[pictures.length - 1], first = pictures[0];
    return pictures.length > 1 ? (1000 * (pictures.length - 1)) / (last! - first!) : 0;
  }

  private describe() {
    this.showSettings();
    const { status } = this, facts: [string, string][] = [];
    facts.push(['Pictures per second', this.rate.toFixed(0)]);
    if (status.rate !== undefined) facts.push(['Speed', `${status.rate.toPrecision(2)} of real time`]);
    if (status.milliseconds !== undefined) facts.push(['Time per step', `${status.milliseconds.toPrecision(3)} ms`]);
    if (this.hand.latency > 0) facts.push(['Pointer to picture', `${this.hand.latency.toFixed(0)} ms`]);
    if (status.contacts !== undefined) facts.push(['Contacts', String(status.contacts)]);
    if (status.gap) facts.push(['Smallest gap', `${status.gap.toPrecision(2)} m`]);
    for (const [name, time] of Object.entries(status.stages ?? {})) facts.push([name, `${time.toPrecision(2)} ms`]);
    if (status.recording) facts.push(['Recorded in', status.recording]);
    element('play_facts').replaceChildren(...facts.flatMap(([name, value]) => {
      const term = document.createElement('dt'), text = document.createElement('dd');
      term.textContent = name;
      text.textContent = value;
      return [term, text];
    }));
  }

  private addKeys() {
    const { hand } = this, speed = (by: number) => this.setSpeed(kSpeeds.indexOf(this.status.speed ?? 1) + by);
    const pause = () => this.panel.control(this.viewer.run.status.state === 'paused' ? 'continue' : 'pause');
    const choose = (by: number) => {
      const name = hand.chooseNext(by);
      if (name) this.panel.say(`Chosen: ${name}`);
    };
    const keys: Key[] = [
      { key: ' ', shown: 'Space', does: 'pause or continue', act: pause },
      { key: 's', shown: 's', does: 'one step', act: () => this.panel.control('step') },
      { key: 'r', shown: 'r', does: 'start anew', act: () => this.restart() },
      { key: 'n', shown: 'n', does: 'choose the next body', act: () => choose(1) },
      { key: 'b', shown: 'b', does: 'choose the body before', act: () => choose(-1) },
      { key: 'Enter', shown: 'Enter', does: 'grab the chosen body, or let go', act: () => hand.grabChosen() },
      { key: 'Escape', shown: 'Esc', does: 'let go', act: () => hand.release() },
      { key: 'ArrowLeft', shown: '←', does: 'draw to the left', act: () => hand.moveBy(-1, 0, 0) },
      { key: 'ArrowRight', shown: '→', does: 'draw to the right', act: () => hand.moveBy(1, 0, 0) },
      { key: 'ArrowUp', shown: '↑', does: 'draw up', act: () => hand.moveBy(0, 1, 0) },
      { key: 'ArrowDown', shown: '↓', does: 'draw down', act: () => hand.moveBy(0, -1, 0) },
      { key: 'PageUp', shown: 'Page up', does: 'draw away from you', act: () => hand.moveBy(0, 0, 1) },
      { key: 'PageDown', shown: 'Page down', does: 'draw towards you', act: () => hand.moveBy(0, 0, -1) },
      { key: ',', shown: ',', does: 'slower', act: () => speed(-1) },
      { key: '.', shown: '.', does: 'faster', act: () => speed(1) },
    ];
    // Before the keys that go through the frames of a run.
    document.addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement, isField = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
      const isPressed = target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter');
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isField || isPressed) return;
      const found = keys.find(({ key }) => key === event.key);
      if (!found || element<HTMLDialogElement>('help').open) return;
      event.preventDefault();
      event.stopPropagation();
      found.act();
    }, true);
    element('play_keys').replaceChildren(...keys.flatMap(({ shown, does }) => {
      const key = document.createElement('dt'), text = document.createElement('dd'), cap = document.createElement('kbd');
      cap.textContent = shown;
      key.append(cap);
      text.textContent = does;
      return [key, text];
    }));
  }
}
