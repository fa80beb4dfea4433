// The viewer in a real headless browser: finished runs, growing runs, live runs, damage, strangers.
//
//   MARROW=program node viewer_test.mjs FOLDER        screenshots stay in FOLDER
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { damageFrame, readVtuPoints, SampleRun } from './frame_file.mjs';
import { children, close, closeAll, launch, marrow, open, start, stop } from './pages.mjs';

const folder = resolve(process.argv[2] ?? 'build/viewer_test');
const scene = {
  name: 'small', time: { step: 0.02, duration: 0.4 },
  bodies: [
    {
      name: 'bar', shape: { type: 'box', size: [1, 0.2, 0.2], cells_x: 8, cells_y: 2, cells_z: 2 },
      prescribed: [
        { select: { relative_box: { min: [0, 0, 0], max: [0, 1, 1] } } },
        { select: { relative_box: { min: [1, 0, 0], max: [1, 1, 1] } }, angular_velocity: [5, 0, 0] },
      ],
    },
    { name: 'ball', shape: { type: 'sphere' }, position: [0, 2, 0], angular_velocity: [0, 0, 3] },
    { name: 'floor', kind: 'obstacle', shape: { type: 'plate' }, position: [0, -2, 0] },
  ],
};
let browser;

before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'scene.json'), JSON.stringify(scene));
  const run = spawnSync(marrow, ['run', join(folder, 'scene.json'), '-o', join(folder, 'run'), '--set', 'output.vtu_every=1'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  browser = await launch();
});
after(closeAll);

const shown = (page) => page.evaluate(() => window.marrow.viewer.frame.index);
const seek = async (page, index) => {
  await page.locator('#timeline').evaluate((slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }, index);
  await page.waitForFunction((value) => window.marrow.viewer.frame.index === value, index);
};
// What the canvas shows, as one number per pixel row and column block.
const picture = (page) => page.evaluate(() => {
  const { stage } = window.marrow.viewer;
  stage.drawFinished(1);
  const small = document.createElement('canvas');
  small.width = 160;
  small.height = 90;
  const context = small.getContext('2d');
  context.drawImage(stage.renderer.domElement, 0, 0, 160, 90);
  return String.fromCharCode(...context.getImageData(0, 0, 160, 90).data);
}).then((text) => Buffer.from(text, 'latin1'));
const difference = (a, b) => a.reduce((sum, x, i) => sum + (Math.abs(x - b[i]) > 8 ? 1 : 0), 0);

function sampleFolder(name, frames) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  const run = new SampleRun(join(path, 'run.mrw'));
  run.add(0, frames);
  writeFileSync(join(path, 'metrics.jsonl'), SampleRun.metrics(1, frames - 1));
  return { path, run };
}

test('a run loads: bodies, facts, a picture', async () => {
  const server = await start('view', join(folder, 'run'));
  const page = await open(server.url);
  assert.equal(await page.title(), 'small – Marrow');
  assert.deepEqual(await page.locator('#bodies .name').allTextContents(), ['bar', 'ball', 'floor']);
  assert.match(await page.locator('#bodies .size').nth(2).textContent(), /obstacle/);
  assert.match(await page.locator('#clock').textContent(), /frame 0 of 20 · 0\.000 s/);
  const colours = new Set([...(await picture(page))].map((x, i) => (i % 4 === 0 ? x >> 4 : -1)));
  assert.ok(colours.size > 5, 'the picture is not empty');
  await close(page);
  await stop(server);
});

test('every point is where the run says, at any frame', async () => {
  const server = await start('view', join(folder, 'run'));
  const page = await open(server.url);
  for (const frame of [20, 7, 0]) {
    await seek(page, frame);
    const world = readVtuPoints(join(folder, 'run/frames', `frame_${String(frame).padStart(6, '0')}.vtu`));
    const seen = await page.evaluate(() => window.marrow.positions());
    const points = Object.entries(seen);
    assert.ok(points.length > 100 && 3 * points.length < world.length, 'points inside are left out');
    for (const [point, place] of points) {
      // Half a step of a box of 2 m, and a float's rounding.
      place.forEach((x, axis) => assert.ok(Math.abs(x - world[3 * point + axis]) < 1.6e-5 + 1e-6, `${point}`));
    }
  }
  await close(page);
  await stop(server);
});

test('every point is where the run says, at rest, by pose and moving freely', async () => {
  const box = { type: 'box', size: [0.2, 0.2, 0.2] }, path = join(folder, 'motions.json');
  writeFileSync(path, JSON.stringify({
    time: { step: 0.01, duration: 0.05 },
    output: { vtu_every: 1 },
    bodies: [
      { name: 'soft', shape: box, position: [-0.4, 0, 0], angular_velocity: [9, 0, 0] },
      { name: 'rigid', kind: 'rigid', shape: box, position: [0, 0, 0], angular_velocity: [5, 6, 7] },
      { name: 'still', kind: 'obstacle', shape: box, position: [0.4, 0, 0] },
      { name: 'affine', kind: 'affine', shape: box, position: [0.8, 0, 0], angular_velocity: [0, 9, 0] },
      { name: 'moved', kind: 'obstacle', shape: box, position: [1.2, 0, 0],
        prescribed: [{ select: { all: true }, velocity: [0, 3, 0] }] },
    ],
  }));
  const out = join(folder, 'motions');
  assert.equal(spawnSync(marrow, ['run', path, '-o', out], { encoding: 'utf8' }).status, 0);
  const server = await start('view', out);
  const page = await open(server.url);
  for (const frame of [5, 2, 0]) {
    await seek(page, frame);
    const world = readVtuPoints(join(out, 'frames', `frame_${String(frame).padStart(6, '0')}.vtu`));
    const points = Object.entries(await page.evaluate(() => window.marrow.positions()));
    assert.ok(points.length >= 5 * 98);
    for (const [point, place] of points) {
      place.forEach((x, axis) => assert.ok(Math.abs(x - world[3 * point + axis]) < 4e-6, `${point}`));
    }
  }
  await close(page);
  await stop(server);
});

test('play goes on, pause holds, the end comes back to the start', async () => {
  const server = await start('view', join(folder, 'run'));
  const page = await open(server.url);
  await page.locator('#speed').selectOption('0.25');
  await page.locator('#play').click();
  await page.waitForFunction(() => window.marrow.viewer.frame.index >= 3);
  await page.locator('#play').click();
  await page.waitForTimeout(500); // a frame that was asked for before may still arrive
  const at = await shown(page);
  await page.waitForTimeout(500);
  assert.equal(await shown(page), at);
  await seek(page, 19);
  await page.locator('#speed').selectOption('10');
  await page.locator('#play').click();
  await page.waitForFunction(() => window.marrow.viewer.frame.index < 19);
  await close(page);
  await stop(server);
});

test('each overlay, each colouring, each body can be switched', async () => {
  const { path } = sampleFolder('sample', 6);
  const server = await start('view', path);
  const page = await open(server.url);
  await seek(page, 3);
  const plain = await picture(page);
  assert.equal(difference(plain, await picture(page)), 0, 'the same picture twice');
  for (const name of ['wireframe', 'medial', 'contacts', 'smallest_gap', 'joints', 'handles']) {
    await page.locator(`#overlay_${name}`).check();
    assert.ok(difference(plain, await picture(page)) > 3, `${name} shows`);
    await page.locator(`#overlay_${name}`).uncheck();
    assert.equal(difference(plain, await picture(page)), 0, `${name} is gone`);
  }
  for (const mode of ['kind', 'displacement', 'von_mises', 'contact_pressure']) {
    await page.locator('#colour').selectOption(mode);
    if (mode !== 'kind') assert.ok(difference(plain, await picture(page)) > 50, mode);
    assert.equal(await page.locator('#scale').isVisible(), mode !== 'kind');
  }
  assert.equal(await page.locator('#scale_max').textContent(), '40 Pa');
  await page.locator('#colour').selectOption('body');
  await page.locator('#bodies input').first().uncheck();
  assert.ok(difference(plain, await picture(page)) > 200, 'the sheet is hidden');
  await page.locator('#theme_button').click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await close(page);
  await stop(server);
});

test('charts show what the run has, follow the playhead and are clicked', async () => {
  const { path } = sampleFolder('charted', 21);
  const server = await start('view', path);
  const page = await open(server.url);
  const names = await page.locator('#charts figcaption b').allTextContents();
  assert.deepEqual(names, ['Iterations', 'Contacts', 'Smallest gap', 'Energy', 'Time per step']);
  const chart = page.locator('#charts canvas').nth(1), box = await chart.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 20);
  await page.waitForFunction(() => window.marrow.viewer.frame.index === 10);
  assert.match(await page.locator('#charts figcaption').nth(1).textContent(), /100/);
  await seek(page, 20);
  assert.match(await chart.getAttribute('aria-label'), /200/);
  await close(page);
  await stop(server);
  // What is missing is left out.
  writeFileSync(join(path, 'metrics.jsonl'), '{"step":1,"iterations":3}\nno JSON\n{"step":2,"iterations":4,"min_gap":null}\n');
  const bare = await start('view', path), other = await open(bare.url);
  assert.deepEqual(await other.locator('#charts figcaption b').allTextContents(), ['Iterations']);
  await close(other);
  await stop(bare);
});

test('poses and forces: charts of any quantity, saved as CSV, arrows', async () => {
  const resting = {
    name: 'resting', time: { step: 0.02, duration: 0.4 },
    bodies: [
      { name: 'box', kind: 'rigid', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, position: [0, 0.102, 0] },
      { name: 'floor', kind: 'obstacle', shape: { type: 'box', size: [2, 1, 2] }, position: [0, -0.5, 0] },
    ],
  };
  writeFileSync(join(folder, 'resting.json'), JSON.stringify(resting));
  const run = spawnSync(marrow, ['run', join(folder, 'resting.json'), '-o', join(folder, 'resting')], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const server = await start('view', join(folder, 'resting'));
  const page = await open(server.url);
  const before = await page.locator('#charts figure').count();
  await page.locator('#results summary').click();
  await page.locator('#result_table').selectOption('contacts');
  await page.waitForFunction(() => document.getElementById('result_subject').options.length > 0);
  assert.deepEqual(await page.locator('#result_subject option').allTextContents(), ['box – floor']);
  await page.locator('#result_quantity').selectOption({ label: 'Normal force' });
  await page.locator('#result_add').click();
  assert.equal(await page.locator('#charts figure').count(), before + 1);
  await seek(page, 20);
  const label = await page.locator('#charts figcaption').last().textContent();
  assert.match(label, /box – floor: Normal force.*y 78\.\d* N/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#result_save').click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
  assert.equal(lines[0], 'step,time,box – floor normal_x,box – floor normal_y,box – floor normal_z');
  assert.equal(lines.length, 21);
  assert.ok(Math.abs(Number(lines[20].split(',')[3]) - 78.48) < 0.8);
  // One arrow, upwards, as the floor carries the box.
  const arrow = await page.evaluate(() => window.marrow.viewer.frame.overlays.forces);
  assert.equal(Object.keys(arrow.segments).length, 2);
  assert.ok(arrow.points[4] - arrow.points[1] > 0.9 * Math.hypot(0.2, 0.2, 0.2));
  const plain = await picture(page);
  await page.keyboard.press('a');
  assert.ok(difference(plain, await picture(page)) > 20, 'the arrow is seen');
  await page.locator('#result_clear').click();
  assert.equal(await page.locator('#charts figure').count(), before);
  await close(page);
  await stop(server);
});

test('a damaged frame is reported and the page goes on', async () => {
  const { path } = sampleFolder('damaged', 6);
  damageFrame(join(path, 'run.mrw'), 3);
  const server = await start('view', path);
  const page = await open(server.url);
  await seek(page, 2);
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#messages p');
  assert.match(await page.locator('#messages p').textContent(), /Frame 3 is damaged/);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => window.marrow.viewer.frame.index === 4);
  await close(page);
  await stop(server);
});

test('a run that grows is followed; one that starts anew is loaded anew', async () => {
  const { path, run } = sampleFolder('growing', 3);
  const server = await start('view', path);
  const page = await open(server.url);
  await page.keyboard.press('f');
  run.add(3, 4);
  appendFileSync(join(path, 'metrics.jsonl'), SampleRun.metrics(3, 4));
  await page.waitForFunction(() => window.marrow.viewer.frame.index === 6 && window.marrow.viewer.metrics.steps.length === 6);
  appendFileSync(run.path, run.record(7).subarray(0, 500)); // torn: not there yet
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.marrow.viewer.frameCount), 7);
  new SampleRun(`${run.path}.new`, 4).add(0, 2);
  copyFileSync(`${run.path}.new`, run.path);
  await page.waitForFunction(() => window.marrow.viewer.frameCount === 2 && window.marrow.viewer.prepared.corners.length === 96);
  await close(page);
  await stop(server);
});

test('a live run from start to stop: steps, two pages, reload, pause, stop', async () => {
  const out = join(folder, 'live');
  const server = await start('run', join(folder, 'scene.json'), '-o', out, '--live', '--paused', '--threads', '1', '--set', 'time.duration=40',
    '--set', 'output.vtu_every=1');
  const page = await open(server.url);
  const frames = () => page.evaluate(() => window.marrow.viewer.frameCount);
  assert.match(await page.locator('#state').textContent(), /paused/);
  assert.equal(await frames(), 1);
  for (const count of [2, 3]) {
    await page.locator('#live_step').click();
    await page.waitForFunction((n) => window.marrow.viewer.frameCount === n && window.marrow.viewer.frame.index === n - 1, count);
  }
  const second = await open(server.url);
  assert.equal(await second.evaluate(() => window.marrow.viewer.frameCount), 3);
  await second.locator('#live_pause').click(); // continues
  await page.waitForFunction(() => window.marrow.viewer.run.status.state === 'running' && window.marrow.viewer.frameCount > 5);
  await page.locator('#colour').selectOption('von_mises');
  await page.reload();
  await page.waitForFunction(() => window.marrow);
  await page.evaluate(() => window.marrow.ready);
  assert.equal(await page.locator('#colour').inputValue(), 'von_mises');
  assert.ok((await frames()) > 5);
  assert.match(await page.locator('#progress_text').textContent(), /of 2000/);
  await page.locator('#live_pause').click();
  await second.waitForFunction(() => window.marrow.viewer.run.status.state === 'paused');
  await page.locator('#live_stop').click();
  await second.waitForFunction(() => window.marrow.viewer.run.status.state === 'ended');
  // Both pages still show everything; the program ends when they are closed.
  await seek(second, 1);
  await close(second);
  assert.ok(children.has(server.child));
  await close(page);
  assert.equal(await server.child.ended, 130);
  const steps = readFileSync(join(out, 'metrics.jsonl'), 'utf8').trim().split('\n').length;
  assert.equal(readdirSync(join(out, 'frames')).length, steps + 1);
});

test('a lost connection is said and found again', async () => {
  const first = await start('view', join(folder, 'run'));
  const page = await open(first.url, { expected: /Failed to load resource|ERR_/ });
  await stop(first);
  await page.waitForFunction(() => /lost/.test(document.getElementById('state').textContent));
  const again = await start('view', join(folder, 'run'), '--port', new URL(first.url).port);
  await page.waitForFunction(() => !/lost/.test(document.getElementById('state').textContent));
  await seek(page, 9);
  await close(page);
  await stop(again);
});

test('everything works by keyboard', async () => {
  const server = await start('view', join(folder, 'run'));
  const page = await open(server.url);
  await page.keyboard.press('End');
  await page.waitForFunction(() => window.marrow.viewer.frame.index === 20);
  await page.keyboard.press('PageUp');
  await page.waitForFunction(() => window.marrow.viewer.frame.index === 10);
  const camera = () => page.evaluate(() => window.marrow.viewer.stage.camera.position.toArray());
  const before = await camera();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('+');
  assert.notDeepEqual(await camera(), before);
  await page.keyboard.press('w');
  assert.ok(await page.locator('#overlay_wireframe').isChecked());
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  assert.ok((await page.locator('#shortcuts dt').count()) > 20);
  await page.keyboard.press('Escape');
  assert.ok(!(await page.locator('#help').isVisible()));
  // Every control can be reached by Tab, and has a name.
  const reached = new Set();
  for (let k = 0; k < 40; ++k) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ['theme_button', 'help_button', 'colour', 'overlay_wireframe', 'view', 'play', 'timeline', 'speed', 'loop']) {
    assert.ok(reached.has(id), `Tab reaches ${id}`);
  }
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select')]
    .filter((e) => !e.textContent.trim() && !e.ariaLabel && !e.labels?.length && !e.title).map((e) => e.id));
  assert.deepEqual(nameless, []);
  await close(page);
  await stop(server);
});

// Ratio of luminances as WCAG defines it, of every text against what is behind it.
const contrasts = (page) => page.evaluate(() => {
  const channel = (x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const parse = (text) => text.match(/[\d.]+/g).map(Number);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll('h1, h2, button, label, span, output, b')].filter((e) =>
    e.checkVisibility() && !e.disabled && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()));
  return texts.map((e) => {
    const [a, b] = [luminance(parse(getComputedStyle(e).color)), luminance(behind(e))].sort((x, y) => y - x);
    return { text: e.textContent.slice(0, 20), ratio: (a + 0.05) / (b + 0.05) };
  });
});

test('readable and whole at 1280×720 and 2560×1440, light and dark', async () => {
  const { path } = sampleFolder('layout', 12);
  const server = await start('view', path);
  for (const [width, height] of [[1280, 720], [2560, 1440]]) {
    const page = await open(server.url, { width, height });
    for (const theme of ['light', 'dark']) {
      if ((await page.evaluate(() => window.marrow.viewer.look.theme)) !== theme) await page.keyboard.press('d');
      for (const { text, ratio } of await contrasts(page)) assert.ok(ratio >= 4.5, `"${text}" in ${theme}: ${ratio.toFixed(2)}`);
      const broken = await page.evaluate(() => {
        const parts = ['header', 'aside', 'main', '#charts', 'footer'].map((s) => document.querySelector(s).getBoundingClientRect());
        const isOutside = parts.some((p) => p.left < -1 || p.top < -1 || p.right > innerWidth + 1 || p.bottom > innerHeight + 1 || p.height < 10);
        const overlap = parts.some((p, i) => parts.some((q, j) => i < j && p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1));
        const cut = [...document.querySelectorAll('header button, footer button, footer label, #clock')].some((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1);
        const view = document.querySelector('main').getBoundingClientRect();
        return { isOutside, overlap, cut, isSmall: view.width < 0.6 * innerWidth || view.height < 0.6 * innerHeight };
      });
      assert.deepEqual(broken, { isOutside: false, overlap: false, cut: false, isSmall: false });
    }
    await close(page);
  }
  await stop(server);
});

test('what check found is marked', async () => {
  const corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -0.5], [0.3, 0.2, 0.5], [0.2, 0.4, 0.5]];
  const mesh = join(folder, 'crossing.obj'), found = join(folder, 'found.json');
  writeFileSync(mesh, `${corners.map((p) => `v ${p.join(' ')}\n`).join('')}f 1 2 3\nf 4 5 6\n`);
  const check = spawnSync(marrow, ['check', mesh, '--json', '--write', join(folder, 'crossing.ply')], { encoding: 'utf8' });
  assert.equal(check.status, 5);
  writeFileSync(found, check.stdout);
  const server = await start('view', mesh, '--marks', found);
  const page = await open(server.url);
  assert.match(await page.locator('#marks button').first().textContent(), /and/);
  assert.equal(await page.evaluate(() => window.marrow.viewer.markedCount), 2);
  await page.locator('#marks button').first().click();
  await close(page);
  await stop(server);
});

test('a page of somebody else gets nothing', async () => {
  const server = await start('view', join(folder, 'run'));
  const stranger = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>hello'));
  await new Promise((done) => stranger.listen(0, '127.0.0.1', done));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
  const answers = await page.evaluate(async (url) => {
    const attempt = async (path, options) => {
      try {
        return (await fetch(url + path, options)).type;
      } catch {
        return 'refused';
      }
    };
    return [await attempt('api/run'), await attempt('api/run', { mode: 'no-cors' }), await attempt('api/control', { method: 'POST', body: '{"action": "stop"}' })];
  }, server.url);
  assert.deepEqual(answers, ['refused', 'refused', 'refused']);
  await page.close();
  stranger.close();
  await stop(server);
});
