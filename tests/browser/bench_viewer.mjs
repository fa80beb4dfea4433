// Measures the viewer for growing runs: time to the first picture, frames per second, memory. Prints a table.
//
//   MARROW=program node bench_viewer.mjs FOLDER
//
// Chromium draws in software here, on the cores of this machine; a graphics card is far faster. Because other
// work may share the machine, processor time is given beside the clock's.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { SampleRun } from './frame_file.mjs';

const marrow = resolve(process.env.MARROW), folder = resolve(process.argv[2] ?? 'build/bench_viewer');
const runs = [{ name: '1K', squares: 22, frames: 12 }, { name: '100K', squares: 224, frames: 12 }, { name: '1M', squares: 707, frames: 6 }];

function serve(path) {
  const child = spawn(marrow, ['view', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done) => child.stdout.on('data', (data) => {
    const found = String(data).match(/http:\/\/[\d.:]+\//);
    if (found) done({ child, url: found[0] });
  }));
}

const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

// Processor time [s] and memory [MB] of the processes that show a page.
async function measure(browser, server) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const ids = processInfo.filter((p) => p.type === 'renderer' || p.type === 'GPU').map((p) => p.id);
  let seconds = 0, memory = 0;
  for (const id of [...ids, server.child.pid]) {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    seconds += (Number(stat[11]) + Number(stat[12])) / 100;
    const rss = readFileSync(`/proc/${id}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
    if (id !== server.child.pid) memory += Number(rss[1]) / 1024;
  }
  return { seconds, memory };
}

async function benchmark({ name, squares, frames }) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  const run = new SampleRun(join(path, 'run.mrw'), squares);
  run.add(0, frames);
  const server = await serve(path), browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${server.url}icon.svg`); // the browser is up; what follows is the viewer's own
  const before = await measure(browser, server);
  await page.goto(server.url);
  const first = await page.evaluate(async () => {
    while (!window.marrow) await new Promise((next) => setTimeout(next, 1));
    const { viewer } = window.marrow;
    viewer.stage.maxSamples = 0;
    await window.marrow.ready;
    while (viewer.stage.drawnFrames === 0) await new Promise(requestAnimationFrame);
    viewer.stage.renderer.getContext().finish();
    return performance.now() / 1000;
  });
  const after = await measure(browser, server);
  // Turning: the same frame from other sides. Playing: another frame for every picture.
  const rates = await page.evaluate(async (count) => {
    const { viewer } = window.marrow, gl = viewer.stage.renderer.getContext(), pixel = new Uint8Array(4);
    const draw = () => {
      viewer.stage.drawFinished(1);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    };
    const time = async (pictures, act) => {
      const start = performance.now();
      for (let k = 0; k < pictures; ++k) {
        await act(k);
        draw();
      }
      return (1000 * pictures) / (performance.now() - start);
    };
    draw();
    return [await time(10, () => viewer.stage.orbit(0.05, 0)), await time(count, (k) => viewer.show(k))];
  }, frames);
  const cached = await page.evaluate(() => window.marrow.viewer.cache.bytes / 2 ** 20);
  const { memory } = await measure(browser, server);
  const triangles = 2 * squares * squares, size = statSync(run.path).size / frames / 2 ** 20;
  await browser.close();
  server.child.kill('SIGTERM');
  return [triangles.toLocaleString('en'), size.toFixed(2), first.toFixed(2), (after.seconds - before.seconds).toFixed(2), rates[0].toFixed(1),
    rates[1].toFixed(1), cached.toFixed(0), memory.toFixed(0)];
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
console.log('Sheets of moving triangles, 1280×720, Chromium with software drawing (SwiftShader): shadows of 2048² included.');
console.log(`The machine had ${cpus().length} cores and a load of ${loadavg()[0].toFixed(1)} at the start: a load above the cores makes clock times too long by their ratio.\n`);
console.log('| triangles | MB per frame | first picture [s] | its processor time [s] | pictures/s turning | pictures/s playing | frames kept [MB] | browser memory [MB] |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const run of runs) console.log(`| ${(await benchmark(run)).join(' | ')} |`);
rmSync(folder, { recursive: true, force: true });
