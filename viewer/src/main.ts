// Where the page starts: the viewer, its controls, and the handle that `marrow render` and the tests hold it by.
import * as THREE from 'three';
import './page.css';
import { follow } from './connection';
import { element, Panel } from './panel';
import { Player } from './player';
import { addShortcuts } from './shortcuts';
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
    viewer.look.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
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
  if (!isPicture) viewer.stage.draw(isMoving);
  if (viewer.stage.drawnFrames !== drawnFrames && isMoving) stillSince = now;
  requestAnimationFrame(tick);
}
viewer.stage.controls.addEventListener('change', () => (stillSince = performance.now()));

async function start() {
  document.body.classList.toggle('picture', isPicture);
  await viewer.load();
  if (!isPicture) await restore();
  panel.rebuild();
  if (isPicture) return;
  window.addEventListener('pagehide', keep);
  requestAnimationFrame(tick);
  let queue = Promise.resolve();
  const report = (error: unknown) => panel.say(error instanceof Error ? error.message : String(error));
  follow((status) => {
    const before = viewer.prepared;
    queue = queue.then(() => viewer.catchUp(status)).then(() => (viewer.prepared === before ? undefined : panel.rebuild())).catch(report);
  }, (reachable) => panel.setReachable(reachable));
}

export interface Shot {
  frame: number;
  samples: number;
  camera: CameraPose | null;
  direction: [number, number, number] | null;
  look: Look;
}

// Draws a frame as it should look and returns it as a PNG in base64.
async function shoot(shot: Shot): Promise<string> {
  viewer.look = shot.look;
  if (shot.camera) viewer.stage.setPose(shot.camera, viewer.prepared.origin);
  else if (shot.direction) viewer.stage.look(new THREE.Vector3(...shot.direction));
  const problems: string[] = [];
  viewer.onProblem = (text) => problems.push(text);
  viewer.applyLook();
  if (!(await viewer.show(shot.frame))) throw new Error(problems[0] ?? `Frame ${shot.frame} cannot be shown`);
  viewer.stage.drawFinished(shot.samples);
  return canvas.toDataURL('image/png').split(',')[1]!;
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
Object.assign(window, { marrow: { ready, viewer, player, panel, shoot, positions } });
