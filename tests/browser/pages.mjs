// The program's server and pages of it in a headless Chromium, for tests.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

export const marrow = resolve(process.env.MARROW);
export const children = new Set();
let browser;

export async function launch() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return browser;
}

// Processor time so far [s]: of the program, of pages, of drawing.
export async function processorTimes(server) {
  const session = await browser.newBrowserCDPSession(), { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sum = (ids) => ids.reduce((total, id) => {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    return total + (Number(stat[11]) + Number(stat[12])) / 100;
  }, 0);
  const of = (type) => sum(processInfo.filter((process) => process.type === type).map(({ id }) => id));
  return { program: sum([server.child.pid]), page: of('renderer'), drawing: of('GPU') };
}

export async function closeAll() {
  await browser?.close();
  for (const child of children) child.kill('SIGKILL');
}

// Starts the program and waits for the address it prints.
export function start(...words) {
  const child = spawn(marrow, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.output = '';
  child.ended = new Promise((done) => child.on('exit', (code) => { children.delete(child); done(code); }));
  return new Promise((done, fail) => {
    const take = (data) => {
      child.output += data;
      const found = child.output.match(/http:\/\/[\d.:]+\//);
      if (found) done({ child, url: found[0] });
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', () => fail(new Error(child.output)));
  });
}

export const stop = async ({ child }) => { child.kill('SIGTERM'); assert.equal(await child.ended, 0); };

// A page that complains about nothing but what `expected` allows.
export async function open(url, { width = 900, height = 600, expected = /^$/ } = {}) {
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(120000); // software drawing on a busy machine is slow
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && !expected.test(message.text()) && page.problems.push(message.text()));
  await page.goto(url);
  await page.waitForFunction(() => window.marrow);
  await page.evaluate(async () => { await window.marrow.ready; window.marrow.viewer.stage.maxSamples = 0; });
  return page;
}

export async function close(page) {
  assert.deepEqual(page.problems, []);
  await page.close();
}
