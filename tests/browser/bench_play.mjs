// How long from the pointer to the picture, and how many pictures per second, while a body is dragged.
//
//   MARROW=program node bench_play.mjs FOLDER [SECONDS [RINGS]]        prints a table; FOLDER is scratch
//
// A rigid ball of so many triangles floats and is dragged in circles by mouse events, 60 a second. Pointer to picture: from
// the event whose target the program took, to the end of drawing (finish) of the frame that the step with it led to. Drawing
// is done by SwiftShader on the processor; "left out" leaves out the drawing call alone, and what remains is the program, the
// way between, decoding and everything else on the page. Other work may share the machine: hence processor time per picture.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { close, closeAll, launch, open, processorTimes, start, stop } from './pages.mjs';

const folder = resolve(process.argv[2] ?? 'build/bench_play'), seconds = Number(process.argv[3] ?? 10);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

function writeBall(path, rings) {
  const lines = ['v 0 0.2 0'], sides = 2 * rings;
  for (let r = 1; r < rings; ++r) {
    for (let s = 0; s < sides; ++s) {
      const a = (Math.PI * r) / rings, b = (2 * Math.PI * s) / sides;
      lines.push(`v ${(0.2 * Math.sin(a) * Math.cos(b)).toFixed(9)} ${(0.2 * Math.cos(a)).toFixed(9)} ${(0.2 * Math.sin(a) * Math.sin(b)).toFixed(9)}`);
    }
  }
  lines.push('v 0 -0.2 0');
  const at = (r, s) => 2 + (r - 1) * sides + (s % sides), last = 2 + (rings - 1) * sides;
  for (let s = 0; s < sides; ++s) {
    lines.push(`f 1 ${at(1, s + 1)} ${at(1, s)}`, `f ${last} ${at(rings - 1, s)} ${at(rings - 1, s + 1)}`);
    for (let r = 1; r < rings - 1; ++r) lines.push(`f ${at(r, s)} ${at(r, s + 1)} ${at(r + 1, s + 1)}`, `f ${at(r, s)} ${at(r + 1, s + 1)} ${at(r + 1, s)}`);
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return lines.filter((line) => line.startsWith('f')).length;
}

const median = (values, share = 0.5) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? NaN;

async function measure(rings, isDrawn, size) {
  const mesh = join(folder, `ball_${rings}.obj`), path = join(folder, `ball_${rings}.json`), triangles = writeBall(mesh, rings);
  writeFileSync(path, JSON.stringify({
    name: 'ball', gravity: [0, 0, 0], time: { step: 0.03333 }, view: { camera: [0, 0, 1.5], target: [0, 0, 0] },
    bodies: [{ name: 'ball', kind: 'rigid', mesh: `ball_${rings}.obj` },
      { name: 'far', kind: 'rigid', shape: { type: 'box', size: [0.1, 0.1, 0.1], cells_x: 1, cells_y: 1, cells_z: 1 }, position: [0.5, 0.3, 0] }],
  }));
  const server = await start('play', path), page = await open(server.url, size);
  await page.waitForFunction(() => window.marrow.play().frames > 2);
  await page.evaluate((draws) => {
    const { renderer } = window.marrow.viewer.stage, render = renderer.render.bind(renderer);
    renderer.render = draws ? (...args) => (render(...args), renderer.getContext().finish()) : () => undefined;
  }, isDrawn);
  const box = await page.locator('#view').boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Events come from within the page: the way from the test to the browser is not what is measured.
  const before = await processorTimes(server);
  const figures = await page.evaluate(async ({ time, x0, y0 }) => {
    const { play: get } = window.marrow, canvas = document.getElementById('view'), { hand } = get();
    if (!hand.hold) throw new Error('nothing was grabbed');
    hand.latencies.length = 0;
    const begun = performance.now(), first = get().frames;
    while (performance.now() - begun < 1000 * time) {
      const a = (performance.now() - begun) / 300;
      canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, buttons: 1, clientX: x0 + 60 * Math.cos(a), clientY: y0 + 60 * Math.sin(a) }));
      await new Promise((done) => setTimeout(done, 16));
    }
    return { latencies: [...hand.latencies], pictures: (get().frames - first) / time, rate: get().status.rate };
  }, { time: seconds, x0: x, y0: y });
  const after = await processorTimes(server), count = Math.max(1, figures.pictures * seconds);
  const times = Object.keys(after).map((key) => ((1000 * (after[key] - before[key])) / count).toFixed(0)).join(' + ');
  await page.mouse.up();
  await close(page);
  await stop(server);
  return { triangles, times, ...figures };
}

await launch();
console.log(`Load of the machine at the start: ${loadavg()[0].toFixed(1)} on ${cpus().length} cores. Processor: of the program, the page and drawing.\n`);
console.log('| triangles | picture | drawing | pictures per second | pointer to picture, median [ms] | 95 % [ms] | processor per picture [ms] | speed |');
console.log('| ---: | --- | --- | ---: | ---: | ---: | --- | ---: |');
const rows = [[20, 900, 600], [159, 900, 600], [159, 500, 340]].filter(([rings]) => !process.argv[4] || rings === Number(process.argv[4]));
for (const [rings, width, height] of rows) {
  for (const isDrawn of [true, false]) {
    const { triangles, latencies, pictures, rate, times } = await measure(rings, isDrawn, { width, height });
    console.log(`| ${triangles} | ${width}×${height} | ${isDrawn ? 'SwiftShader' : 'left out'} | ${pictures.toFixed(1)} | ${median(latencies).toFixed(0)} | ` +
      `${median(latencies, 0.95).toFixed(0)} | ${times} | ${rate.toFixed(2)} |`);
  }
}
await closeAll();
