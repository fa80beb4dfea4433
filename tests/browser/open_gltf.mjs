// Opens the glTF files of a run as others would: Khronos' validator, then three.js in headless Chromium.
//
//   node open_gltf.mjs FOLDER OUT time…
//
// Writes OUT/opened.json: the validator's report of run.glb and run.gltf, and for each of them the vertices of every
// mesh at each time as three.js sees them; and pictures, OUT/run.glb.png and OUT/run.gltf.png.
import { createServer } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const [folder, out, ...times] = process.argv.slice(2);
const files = ['run.glb', 'run.gltf'];
const types = { '.html': 'text/html', '.js': 'text/javascript', '.gltf': 'model/gltf+json', '.glb': 'model/gltf-binary' };

// The validator's counts and first messages.
async function validate(file) {
  const bytes = new Uint8Array(await readFile(join(folder, file)));
  const report = await validator.validateBytes(bytes, {
    uri: file,
    externalResourceFunction: async (uri) => new Uint8Array(await readFile(join(folder, uri))),
  });
  const { numErrors, numWarnings, messages } = report.issues;
  return { errors: numErrors, warnings: numWarnings, messages: messages.slice(0, 10) };
}

// The page, three.js and the run, on a loopback port.
function serve() {
  const roots = { three: join(here, 'node_modules/three'), run: folder };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    if (path === '/favicon.ico') return response.writeHead(204).end();
    const [, root, ...rest] = path.split('/');
    const file = path === '/' ? join(here, 'page.html') : roots[root] && join(roots[root], ...rest);
    try {
      const body = await readFile(file);
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function open(browser, port, file) {
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`http://127.0.0.1:${port}/?file=${file}`);
  await page.waitForFunction('window.ready', null, { timeout: 60000 }).catch((error) => errors.push(String(error)));
  const frames = [];
  if (errors.length === 0) {
    for (const time of times) frames.push(await page.evaluate((t) => window.show(t), Number(time)));
    await page.locator('#view').screenshot({ path: join(out, `${file}.png`) });
  }
  const duration = await page.evaluate(() => window.duration ?? null);
  await page.close();
  return { duration, frames, page_errors: errors };
}

const server = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const result = {};
for (const file of files) {
  result[file] = { validator: await validate(file), ...(await open(browser, server.address().port, file)) };
}
await browser.close();
server.close();
await writeFile(join(out, 'opened.json'), JSON.stringify(result));
