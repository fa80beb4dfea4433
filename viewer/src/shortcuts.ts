// Everything by keyboard. The same list is what ? shows.
import { element, type Panel } from './panel';
import { speeds } from './player';
import type { Viewer } from './viewer';

interface Shortcut {
  keys: string[]; // as event.key has them; "Shift+" before
  shown: string;
  does: string;
  act: () => void;
}

const kTurn = Math.PI / 24;

export function addShortcuts(viewer: Viewer, panel: Panel) {
  const { stage } = viewer, { player } = panel;
  const go = (by: number) => panel.goTo(viewer.wanted + by);
  const look = (side: string | null) => () => void viewer.aim(side);
  const changeSpeed = (by: number) => {
    const at = speeds.indexOf(player.speed) + by;
    player.speed = speeds[Math.max(0, Math.min(at, speeds.length - 1))]!;
    element<HTMLSelectElement>('speed').value = String(player.speed);
  };
  const nextColour = () => {
    const modes = viewer.colourModes();
    panel.setColour(modes[(modes.indexOf(viewer.look.colour) + 1) % modes.length]!);
  };
  const help = element<HTMLDialogElement>('help');
  const shortcuts: Shortcut[] = [
    { keys: [' '], shown: 'Space', does: 'play or pause', act: () => panel.togglePlay() },
    { keys: ['ArrowLeft'], shown: '←', does: 'previous frame', act: () => go(-1) },
    { keys: ['ArrowRight'], shown: '→', does: 'next frame', act: () => go(1) },
    { keys: ['PageUp'], shown: 'Page up', does: 'ten frames back', act: () => go(-10) },
    { keys: ['PageDown'], shown: 'Page down', does: 'ten frames forward', act: () => go(10) },
    { keys: ['Home'], shown: 'Home', does: 'first frame', act: () => panel.goTo(0) },
    { keys: ['End'], shown: 'End', does: 'last frame', act: () => panel.goTo(viewer.frameCount - 1) },
    { keys: [','], shown: ',', does: 'slower', act: () => changeSpeed(-1) },
    { keys: ['.'], shown: '.', does: 'faster', act: () => changeSpeed(1) },
    { keys: ['l'], shown: 'l', does: 'loop', act: () => ((player.loops = !player.loops), panel.update()) },
    { keys: ['f'], shown: 'f', does: 'always show the newest frame', act: () => panel.setFollow(!player.follows) },
    { keys: ['Shift+ArrowLeft'], shown: 'Shift ←', does: 'rotate left', act: () => stage.orbit(-kTurn, 0) },
    { keys: ['Shift+ArrowRight'], shown: 'Shift →', does: 'rotate right', act: () => stage.orbit(kTurn, 0) },
    { keys: ['Shift+ArrowUp'], shown: 'Shift ↑', does: 'rotate up', act: () => stage.orbit(0, -kTurn) },
    { keys: ['Shift+ArrowDown'], shown: 'Shift ↓', does: 'rotate down', act: () => stage.orbit(0, kTurn) },
    { keys: ['+', '='], shown: '+', does: 'zoom in', act: () => stage.zoom(0.87) },
    { keys: ['-'], shown: '−', does: 'zoom out', act: () => stage.zoom(1 / 0.87) },
    { keys: ['1'], shown: '1', does: 'look from the front', act: look('front') },
    { keys: ['2'], shown: '2', does: 'look from the right', act: look('right') },
    { keys: ['3'], shown: '3', does: 'look from above', act: look('top') },
    { keys: ['0', 'r'], shown: '0 or r', does: 'look at the bodies where they are now', act: look(null) },
    { keys: ['c'], shown: 'c', does: 'next colour mode', act: nextColour },
    { keys: ['w'], shown: 'w', does: 'wireframe', act: () => panel.toggleOverlay('wireframe') },
    { keys: ['m'], shown: 'm', does: 'medial spheres and cones', act: () => panel.toggleOverlay('medial') },
    { keys: ['k'], shown: 'k', does: 'contacts', act: () => panel.toggleOverlay('contacts') },
    { keys: ['a'], shown: 'a', does: 'contact forces as arrows', act: () => panel.toggleOverlay('forces') },
    { keys: ['g'], shown: 'g', does: 'smallest gap', act: () => panel.toggleOverlay('smallest_gap') },
    { keys: ['j'], shown: 'j', does: 'joints', act: () => panel.toggleOverlay('joints') },
    { keys: ['h'], shown: 'h', does: 'handles', act: () => panel.toggleOverlay('handles') },
    { keys: ['d'], shown: 'd', does: 'light or dark theme', act: () => panel.toggleTheme() },
    { keys: ['v'], shown: 'v', does: 'copy the camera as options for marrow render', act: () => copyCamera(viewer, panel) },
    { keys: ['?'], shown: '?', does: 'this list', act: () => (help.open ? help.close() : help.showModal()) },
  ];
  const byKey = new Map(shortcuts.flatMap((s) => s.keys.map((key) => [key, s])));
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    // Fields and buttons keep their own keys.
    const isField = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
    const isPressed = event.key === ' ' && (target instanceof HTMLButtonElement || target instanceof HTMLInputElement);
    if (event.ctrlKey || event.metaKey || event.altKey || isPressed) return;
    if (isField && (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End' || event.key.startsWith('Page'))) return;
    const isArrow = event.key.startsWith('Arrow');
    const shortcut = byKey.get(isArrow && event.shiftKey ? `Shift+${event.key}` : event.key);
    if (!shortcut || (help.open && event.key !== '?')) return;
    event.preventDefault();
    shortcut.act();
  });
  element('shortcuts').replaceChildren(...shortcuts.flatMap((s) => {
    const key = document.createElement('dt'), text = document.createElement('dd'), cap = document.createElement('kbd');
    cap.textContent = s.shown;
    key.append(cap);
    text.textContent = s.does;
    return [key, text];
  }));
  element('help_button').onclick = () => help.showModal();
  element('help_close').onclick = () => help.close();
}

async function copyCamera(viewer: Viewer, panel: Panel) {
  const { position, target } = viewer.stage.pose(viewer.prepared.origin);
  const text = (v: number[]) => v.map((x) => Number(x.toPrecision(5))).join(',');
  const camera = `--camera ${text(position)} --target ${text(target)}`;
  try {
    await navigator.clipboard.writeText(camera);
    panel.say(`Copied: ${camera}`);
  } catch {
    panel.say(camera);
  }
}
