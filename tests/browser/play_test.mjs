// Scenes that play, in a real headless browser: grabbing by the mouse and by keys, two pages, rubbish, pages that disappear.
//
//   MARROW=program node play_test.mjs FOLDER
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { close, closeAll, launch, marrow, open, start, stop } from './pages.mjs';

const folder = resolve(process.argv[2] ?? 'build/play_test'), path = join(folder, 'toys.json');
const box = { type: 'box', size: [0.2, 0.2, 0.2], cells_x: 1, cells_y: 1, cells_z: 1 };
const scene = {
  name: 'toys', time: { step: 0.0333, duration: 1 }, contact: { friction: 0.3, d_hat: 0.002 },
  solver: { tolerance: 0.02, balance: 0.03 },
  view: { camera: [0, 0.6, 1.6], target: [0, 0.15, 0] },
  bodies: [
    { name: 'floor', kind: 'obstacle', shape: { type: 'box', size: [3, 0.1, 3], cells_x: 1, cells_y: 1, cells_z: 1 }, position: [0, -0.053, 0] },
    { name: 'jelly', shape: { ...box, cells_x: 2, cells_y: 2, cells_z: 2 }, position: [0, 0.1, 0], material: { youngs_modulus: 3e4, damping: 0.005 } },
    { name: 'brick', kind: 'rigid', shape: box, position: [0.4, 0.1, 0] },
    { name: 'block', kind: 'affine', shape: box, position: [-0.4, 0.1, 0] },
    { name: 'cloth', shape: { type: 'sheet', width: 0.2, depth: 0.2, cells_x: 3, cells_z: 3 }, thickness: 0.004, position: [-0.4, 0.1, 0.4],
      material: { youngs_modulus: 2e4, density: 300, damping: 0.005 } },
    { name: 'bone', kind: 'medial', shape: { type: 'rod', length: 0.26, radius: 0.05, resolution: 2, segments: 6 }, handles: 3,
      position: [0.35, 0.06, 0.4], material: { youngs_modulus: 3e4, damping: 0.005 } },
    { name: 'wire', mesh: 'wire.obj', thickness: 0.02, radius: 0.01, position: [0, 0.02, 0.4], material: { youngs_modulus: 1e6, damping: 0.002 } },
  ],
};

before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const points = [0, 1, 2, 3, 4].map((i) => `v ${-0.12 + 0.06 * i} 0 0`), edges = [1, 2, 3, 4].map((i) => `l ${i} ${i + 1}`);
  writeFileSync(join(folder, 'wire.obj'), [...points, ...edges, ''].join('\n'));
  writeFileSync(path, JSON.stringify(scene));
  await launch();
});
after(closeAll);

const play = (...words) => start('play', path, '--threads', '1', ...words);

// Where a body is on the screen: a drawn vertex of it near its middle that the camera sees. And what the page knows.
const screenPlace = (page, name) => page.evaluate((wanted) => {
  const { viewer } = window.marrow, { prepared, frame, stage } = viewer, b = prepared.bodies.findIndex((body) => body.name === wanted);
  const { points } = prepared.bodies[b], box = document.getElementById('view').getBoundingClientRect();
  const mean = stage.camera.position.clone().set(0, 0, 0), one = mean.clone();
  let count = 0;
  prepared.pointOf.forEach((point, v) => {
    if (point < points[0] || point >= points[0] + points[1]) return;
    mean.add(one.fromArray(frame.positions, 3 * v));
    ++count;
  });
  mean.divideScalar(count).project(stage.camera);
  return [box.left + ((mean.x + 1) / 2) * box.width, box.top + ((1 - mean.y) / 2) * box.height];
}, name);
const state = (page) => page.evaluate(() => {
  const { viewer, play: get } = window.marrow, { hand, status, frames } = get();
  return { hold: hand.hold?.name ?? null, target: hand.hold ? hand.hold.target.toArray().map((x, i) => x + viewer.prepared.origin[i]) : null,
    place: hand.heldPlace(viewer.frame), status, frames };
});
const step = async (page) => {
  const before = (await state(page)).status.number;
  await page.keyboard.press('s'); // the mouse may hold something
  await page.waitForFunction((number) => window.marrow.play().status.number > number, before);
};
const until = (page, condition, argument) => page.waitForFunction(condition, argument);
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
const post = (url, body, headers = {}) => new Promise((done, fail) => {
  const sent = request(url + 'api/play', { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }, (response) => {
    let text = '';
    response.on('data', (data) => (text += data));
    response.on('end', () => done({ status: response.statusCode, text }));
  });
  sent.on('error', fail);
  sent.end(body);
});

test('every kind of body is grabbed by the mouse and follows within three steps', async () => {
  const server = await play('--paused');
  const page = await open(server.url);
  await until(page, () => window.marrow.play().frames > 0);
  for (const name of ['jelly', 'brick', 'block', 'cloth', 'bone', 'wire']) {
    const [x, y] = await screenPlace(page, name);
    await page.mouse.move(x, y);
    await page.mouse.down();
    const grabbed = await state(page);
    assert.equal(grabbed.hold, name);
    await page.mouse.move(x, y - 60, { steps: 4 });
    const { target, place } = await state(page);
    const far = distance(target, place);
    assert.ok(far > 0.05, `the target is ${far} m away`);
    for (let k = 0; k < 3; ++k) await step(page);
    const followed = await state(page), held = followed.status.held.find(({ body }) => body === name);
    assert.deepEqual(held.target, target, 'the program has the newest target');
    assert.ok(distance(followed.place, target) < 0.6 * far, `${name}: ${distance(followed.place, target)} of ${far} m left`);
    assert.ok(held.force > 0 && held.force <= held.most);
    assert.match(await page.locator('#force_label').textContent(), /\d N/);
    await page.mouse.up();
    await step(page);
    assert.deepEqual((await state(page)).status.held, []);
  }
  await close(page);
  await stop(server);
});

test('the background turns the camera, obstacles stay, the wheel draws nearer', async () => {
  const server = await play('--paused');
  const page = await open(server.url);
  await until(page, () => window.marrow.play().frames > 0);
  const camera = () => page.evaluate(() => window.marrow.viewer.stage.camera.position.toArray());
  const before = await camera();
  await page.mouse.move(500, 560);
  await page.mouse.down();
  await page.mouse.move(560, 540, { steps: 3 });
  await page.mouse.up();
  assert.equal((await state(page)).hold, null);
  assert.ok(distance(before, await camera()) > 0.01);
  const [x, y] = await screenPlace(page, 'jelly');
  await page.mouse.move(x, y);
  await page.mouse.down();
  const still = await camera(), { target } = await state(page);
  await page.mouse.wheel(0, -100);
  await until(page, (z) => { const { hand } = window.marrow.play(); return Math.abs(hand.hold.target.z - z) > 1e-9; }, 1e9);
  assert.deepEqual(await camera(), still);
  await page.waitForTimeout(200);
  assert.ok(distance(target, (await state(page)).target) > 1e-3);
  await page.mouse.up();
  await close(page);
  await stop(server);
});

test('without a mouse: choose, grab, draw, let go, pause, step, start anew', async () => {
  const server = await play('--paused');
  const page = await open(server.url);
  await until(page, () => window.marrow.play().frames > 0);
  await page.locator('#view').focus();
  for (const key of ['n', 'n', 'b', 'n']) await page.keyboard.press(key); // jelly, brick, jelly, brick
  await page.keyboard.press('Enter');
  assert.equal((await state(page)).hold, 'brick');
  const low = (await state(page)).place[1];
  for (let k = 0; k < 8; ++k) await page.keyboard.press('ArrowUp');
  for (let k = 0; k < 12; ++k) {
    const { number } = (await state(page)).status;
    await page.keyboard.press('s');
    await until(page, (n) => window.marrow.play().status.number > n, number);
  }
  assert.ok((await state(page)).place[1] > low + 0.1, 'the brick rose');
  await page.keyboard.press('Enter');
  await page.keyboard.press(' ');
  await until(page, () => window.marrow.viewer.run.status.state === 'running' && window.marrow.play().status.step > 14);
  assert.deepEqual((await state(page)).status.held, []);
  await page.keyboard.press(' ');
  await until(page, () => window.marrow.viewer.run.status.state === 'paused');
  await page.keyboard.press('r');
  await until(page, () => window.marrow.viewer.frame.step === 0);
  await close(page);
  await stop(server);
});

test('sliders set gravity, stiffness, friction and speed for all pages', async () => {
  const server = await play();
  const page = await open(server.url), other = await open(server.url);
  const slide = (id, value) => page.locator(id).evaluate((slider, v) => { slider.value = v; slider.dispatchEvent(new Event('input')); }, value);
  await slide('#play_gravity', 0.5);
  await slide('#play_friction', 0.7);
  await page.locator('#play_body').selectOption('jelly');
  await slide('#play_stiffness', 0.5);
  await slide('#play_speed', 3);
  for (const each of [page, other]) {
    await until(each, () => {
      const { status } = window.marrow.play();
      return status.gravity && Math.abs(status.gravity[1] + 4.905) < 1e-9 && status.friction === 0.7 && status.speed === 0.5 &&
        Math.abs(status.stiffness?.jelly - 10 ** 0.5) < 1e-9;
    });
  }
  await until(other, () => document.getElementById('play_friction').value === '0.7');
  assert.match(await page.locator('#play_facts').textContent(), /Pictures per second.*Speed.*of real time.*Time per step.*Contacts/);
  await close(page);
  await close(other);
  await stop(server);
});

test('two pages: who drags owns the body, the other sees it', async () => {
  const server = await play();
  const page = await open(server.url), other = await open(server.url);
  const [x, y] = await screenPlace(page, 'brick');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 50);
  await until(other, () => window.marrow.play().status.held?.some(({ body }) => body === 'brick'));
  await other.evaluate(() => {
    const { hand } = window.marrow.play();
    hand.chosen = window.marrow.viewer.prepared.bodies.findIndex(({ name }) => name === 'brick');
    hand.grabChosen();
  });
  await until(other, () => window.marrow.play().hand.hold === null);
  await other.waitForSelector('#messages p');
  assert.match(await other.locator('#messages p').textContent(), /somebody else holds this body/);
  assert.equal((await state(page)).hold, 'brick');
  // Another body is free.
  await other.evaluate(() => {
    const { hand } = window.marrow.play();
    hand.chosen = window.marrow.viewer.prepared.bodies.findIndex(({ name }) => name === 'jelly');
    hand.grabChosen();
  });
  await until(page, () => window.marrow.play().status.held?.length === 2);
  await page.mouse.up();
  await until(other, () => window.marrow.play().status.held?.length === 1);
  await close(page);
  await close(other);
  await stop(server);
});

test('a page that disappears while it drags lets go, and changes nothing else', async () => {
  const server = await play();
  const watcher = await open(server.url);
  for (const how of ['closed', 'lost']) {
    const page = await open(server.url, { expected: /Failed to fetch|ERR_/ });
    const [x, y] = await screenPlace(page, 'brick');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 40);
    await until(watcher, () => window.marrow.play().status.held?.length === 1);
    if (how === 'closed') await page.close();
    else await page.context().setOffline(true); // nothing can be said any more
    await until(watcher, () => window.marrow.play().status.held?.length === 0);
    if (how === 'lost') await page.close();
    const { frames } = await state(watcher);
    await until(watcher, (n) => window.marrow.play().frames > n + 5, frames);
  }
  await close(watcher);
  await stop(server);
});

test('rubbish is answered and ignored; strangers are refused', async () => {
  const server = await play();
  const page = await open(server.url);
  const [x, y] = await screenPlace(page, 'brick');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await until(page, () => window.marrow.play().status.held?.length === 1);
  const before = await state(page);
  const list = (message) => JSON.stringify({ page: 'stranger-1', messages: [message] });
  for (const body of ['', 'rubbish', '[]', '{}', '\u0000', '['.repeat(4000), '{"page": "x", "messages": []}', JSON.stringify({ page: 'stranger-1', messages: Array(50).fill({}) })]) {
    assert.equal((await post(server.url, body)).status, 400, body);
  }
  for (const message of [null, 7, {}, { do: 'grab' }, { do: 'release', body: 'brick' }, { do: 'move', body: 'brick', target: [1, 2, 'x'] },
    { do: 'grab', body: 'floor', points: [0], weights: [1], target: [0, 0, 0] }, { do: 'set', gravity: [1e9, 0, 0] }, { do: 'speed', speed: 50 },
    { do: 'grab', body: '../../etc/passwd', points: [0], weights: [1], target: [0, 0, 0] }]) {
    const answer = await post(server.url, list(message));
    assert.equal(answer.status, 200);
    assert.equal(JSON.parse(answer.text).problems.length, 1, answer.text);
  }
  assert.equal((await post(server.url, 'x'.repeat(100000)).catch(() => ({ status: 413 }))).status, 413);
  assert.equal((await post(server.url, list({ do: 'restart' }), { Origin: 'http://evil.example' })).status, 403);
  assert.equal((await post(server.url, list({ do: 'restart' }), { Host: 'evil.example' })).status, 403);
  assert.equal((await post(server.url, list({ do: 'restart' }), { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await post(server.url, list({ do: 'restart' }), { 'Content-Type': 'text/plain' })).status, 415);
  await until(page, (n) => window.marrow.play().frames > n + 10, before.frames);
  const now = await state(page);
  assert.equal(now.hold, 'brick');
  assert.ok(now.status.step > before.status.step);
  assert.deepEqual(now.status.gravity, [0, -9.81, 0]);
  assert.equal(now.status.held.length, 1);
  await page.mouse.up();
  await close(page);
  await stop(server);
});

test('what is played is recorded, starts anew in a folder of its own, is checked, shown and replayed', async () => {
  const out = join(folder, 'out');
  const server = await play('-o', out);
  const page = await open(server.url);
  const [x, y] = await screenPlace(page, 'jelly');
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= 6; ++k) {
    await page.mouse.move(x + 10 * k, y - 15 * k);
    await page.waitForTimeout(60);
  }
  await until(page, () => window.marrow.play().status.held?.length === 1);
  await page.mouse.up();
  await until(page, () => window.marrow.play().status.held?.length === 0);
  await page.locator('#play_restart').click();
  await until(page, () => window.marrow.play().status.recording?.endsWith('out_2') && window.marrow.play().status.step > 3);
  await page.locator('#live_stop').click();
  await until(page, () => window.marrow.viewer.run.status.state === 'ended');
  await close(page);
  assert.equal(await server.child.ended, 0, server.child.output);
  const inputs = readFileSync(join(out, 'inputs.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(inputs[0].do, 'grab');
  assert.equal(inputs.at(-1).do, 'release');
  assert.ok(inputs.some((input) => input.do === 'move'));
  for (const each of [out, `${out}_2`]) {
    const check = spawnSync(marrow, ['check', each, '--json'], { encoding: 'utf8' });
    assert.equal(check.status, 0, check.stdout + check.stderr);
    assert.ok(JSON.parse(check.stdout).frames > 3);
    const replay = spawnSync(marrow, ['play', each, '--replay'], { encoding: 'utf8' });
    assert.equal(replay.status, 0, replay.stdout + replay.stderr);
    assert.match(replay.stdout, /all nodes have the same bits/);
  }
  assert.ok(existsSync(join(out, 'summary.json')));
  const viewed = await start('view', out), shown = await open(viewed.url);
  assert.ok(await shown.evaluate(() => window.marrow.viewer.frameCount) > 3);
  await close(shown);
  await stop(viewed);
});
