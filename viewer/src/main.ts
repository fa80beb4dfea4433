// Where the page starts: the viewer, its controls, and the handle that `marrow render` and the tests hold it by.
import './page.css';
import { follow } from './connection';
import { element, Panel } from './panel';
import { Play } from './play';
import { Player } from './player';
import { addShortcuts } from './shortcuts';
import { finishPicture } from './legend';
import type { CameraPose } from './stage';
import { Viewer, type Look } from './viewer';

const canvas = element<HTMLCanvasElement>('view');
const viewer = new Viewer(canvas);
const player = new Player(viewer);
const panel = new Panel(viewer, player);
const isPicture = new URLSearchParams(location.search).has('picture');

viewer.onProblem = (text) => panel.say(text);
viewer.onChange = () => panel.update();
addShortcuts(viewer, panel);

// What a reload must not lose; per run.
const storageKey = () => `marrow:${viewer.run.path}`;
interface Kept {
  look: Look;
  wanted: number;
  camera: CameraPose;
  hidden: number[];
  follows: boolean;
}

function keep() {
  if (!viewer.prepared || isPicture) return;
  const hidden = viewer.bodies!.isVisible.flatMap((visible, b) => (visible ? [] : [b]));
  const kept: Kept = {
    look: viewer.look, wanted: viewer.wanted, camera: viewer.stage.pose(viewer.prepared.origin), hidden, follows: player.follows,
  };
  sessionStorage.setItem(storageKey(), JSON.stringify(kept));
}

async function restore() {
  const text = sessionStorage.getItem(storageKey());
  if (!text) {
    viewer.look.theme = viewer.prepared.view.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    player.follows = viewer.run.live;
    return viewer.applyLook();
  }
  const kept = JSON.parse(text) as Kept;
  viewer.look = kept.look;
  player.follows = kept.follows;
  kept.hidden.forEach((b) => b < viewer.prepared.bodies.length && viewer.bodies!.setVisible(b, false));
  viewer.stage.setPose(kept.camera, viewer.prepared.origin);
  viewer.applyLook();
  await viewer.show(kept.wanted);
}

new ResizeObserver(() => {
  const { clientWidth: width, clientHeight: height } = canvas.parentElement!;
  if (width > 0 && height > 0) viewer.stage.resize(width, height, isPicture ? 1 : window.devicePixelRatio);
}).observe(canvas.parentElement!);

let stillSince = 0;
function tick(now: number) {
  player.tick(now);
  const { drawnFrames } = viewer.stage;
  const isMoving = player.isPlaying || now - stillSince < 400;
  if (!isPicture) {
    // Once the camera rests, what now hides the bodies is opened.
    if (!isMoving && viewer.stage.cameraMoved && viewer.frame) {
      viewer.reopen();
      viewer.stage.cameraMoved = false;
    }
    viewer.stage.draw(isMoving);
  }
  if (viewer.stage.drawnFrames !== drawnFrames && isMoving) stillSince = now;
  requestAnimationFrame(tick);
}
viewer.stage.controls.addEventListener('change', () => (stillSince = performance.now()));

let play: Play | undefined; // of a scene that plays

async function start() {
  document.body.classList.toggle('picture', isPicture);
  await viewer.load();
  if (!isPicture) await restore();
  panel.rebuild();
  if (isPicture) return;
  window.addEventListener('pagehide', keep);
  if (viewer.run.play) play = new Play(viewer, panel, canvas);
  requestAnimationFrame(tick);
  let queue = Promise.resolve();
  const report = (error: unknown) => panel.say(error instanceof Error ? error.message : String(error));
  follow((status) => {
    const before = viewer.prepared;
    queue = queue.then(() => viewer.catchUp(status)).then(() => (viewer.prepared === before ? undefined : panel.rebuild())).catch(report);
  }, (reachable) => panel.setReachable(reachable));
}

// What is null is as the scene says, or else as the viewer chooses.
export interface Shot {
  frame: number;
  span: [number, number] | null; // the camera is to suit these frames, not this one
  samples: number;
  camera: CameraPose | null;
  side: string | null;
  look: { [key in keyof Look]: Look[key] | null } & { hidden: string[] | null };
}

let aimed = ''; // at which span the camera is pointed

function takeLook({ look }: Shot) {
  const { view, bodies } = viewer.prepared;
  viewer.look = {
    colour: look.colour ?? view.color ?? 'body', overlays: look.overlays ?? view.overlays ?? [], theme: look.theme ?? view.theme ?? 'light',
    range: look.range, section: look.section ?? view.section ?? null,
  };
  const modes = viewer.colourModes();
  if (!modes.includes(viewer.look.colour)) {
    throw new Error(`the scene asks for colours by ${viewer.look.colour}, but this run has ${modes.join(', ')}`);
  }
  const hidden = look.hidden ?? view.hide ?? [];
  bodies.forEach((body, b) => {
    const isHidden = body.visible === false || hidden.some((name) => name === body.name || name === body.group);
    if (viewer.bodies!.isVisible[b] === isHidden) viewer.bodies!.setVisible(b, !isHidden);
  });
}

// Draws a frame as it should look and returns it as a PNG in base64, with what can be measured of it.
async function shoot(shot: Shot): Promise<{ png: string; fill: number; visible: number; colour: string }> {
  takeLook(shot);
  const problems: string[] = [];
  viewer.onProblem = (text) => problems.push(text);
  viewer.applyLook();
  if (!(await viewer.show(shot.frame))) throw new Error(problems[0] ?? `Frame ${shot.frame} cannot be shown`);
  const span = JSON.stringify(shot.span);
  if (!shot.span || aimed !== span) {
    const pose = shot.camera ?? (shot.side ? null : viewer.scenePose());
    await viewer.aim(pose ?? shot.side ?? viewer.prepared.view.side ?? null, shot.span ?? undefined);
    aimed = span;
  }
  viewer.stage.drawFinished(shot.samples);
  const { colour, theme } = viewer.look;
  const png = finishPicture(canvas, colour, viewer.valueRange(), theme);
  return { png, ...viewer.director.measure(viewer.frame!), colour };
}

// Positions of the frame shown by point of the run, in the world.
function positions(): { [runPoint: number]: number[] } {
  const { runPoints, pointOf, origin } = viewer.prepared;
  const result: { [runPoint: number]: number[] } = {};
  pointOf.forEach((point, v) => {
    result[runPoints[point]!] = [0, 1, 2].map((axis) => viewer.frame!.positions[3 * v + axis]! + origin[axis]!);
  });
  return result;
}

const ready = start();
ready.catch((error) => {
  panel.say(error instanceof Error ? error.message : String(error));
  setTimeout(() => location.reload(), 3000);
});
Object.assign(window, { marrow: { ready, viewer, player, panel, shoot, positions, play: () => play } });
