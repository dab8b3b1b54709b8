import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import pg from "pg";
import sharp from "sharp";
import { demoPassword } from "../../demo/people.ts";
import { root } from "../../scripts/run.mjs";
import { connect, logIn } from "../../server/testing/browser.ts";
import { callsOver, sendPhoto } from "../../server/testing/marketplace.ts";
import { cpuOf, load, memoryOf, start } from "./processes.mjs";
import { startProgram, withFolder } from "./program.mjs";
import { addressOf, requestText } from "./shop.mjs";

export async function measureProcess({ starts }) {
  return await withFolder(async (folder) => {
    const first = await startProgram(folder);
    const afterDemo = memoryOf(first.pid);
    await untilPhotosAreDone(folder);
    await first.stop();
    const warm = [];
    for (let left = starts; left > 1; left -= 1) {
      const program = await startProgram(folder);
      warm.push(program.readyMs);
      await program.stop();
    }
    const program = await startProgram(folder);
    warm.push(program.readyMs);
    try {
      const startCpuMs = cpuOf(program.pid, (command) => command.includes("server/main.ts"));
      const afterStart = memoryOf(program.pid);
      const pages = await bytesOfPages(program.site);
      const uploads = await measureUploads(program, folder);
      return {
        firstStartMs: first.readyMs,
        warmStartMs: median(warm),
        startCpuMs,
        memory: { afterDemo, afterStart, afterLoad: memoryOf(program.pid) },
        uploads,
        pages,
      };
    } finally {
      await program.stop();
    }
  });
}

/** Waits for the photos' AVIF jobs, which would disturb other measurements. */
async function untilPhotosAreDone(folder) {
  const db = new pg.Client({ connectionString: addressOf(folder) });
  await db.connect();
  const left = `select (select count(*) from job_outbox)
    + (select count(*) from graphile_worker.jobs where task_identifier = 'encodeAvif') as jobs`;
  while (Number((await db.query(left)).rows[0].jobs) > 0) await wait(200);
  await db.end();
}

async function measureUploads({ site, pid }, folder) {
  const client = start("load-client.mjs", "client");
  const run = {
    port: Number(new URL(site).port),
    requests: [requestText("GET", "/")],
    connections: 10,
  };
  await load(client, { ...run, milliseconds: 2_000 });
  const alone = await load(client, { ...run, milliseconds: 3_000 });
  const cpuBefore = cpuOf(pid, isDecoder);
  const uploading = uploadPhotos(site, 20);
  const beside = await load(client, { ...run, milliseconds: 3_000 });
  const seconds = await uploading;
  await untilPhotosAreDone(folder);
  const cpuAfter = cpuOf(pid, isDecoder);
  client.disconnect();
  return {
    photosPerSecond: Number((20 / seconds).toFixed(1)),
    cpuMsWithAvif: Math.round((cpuAfter - cpuBefore) / 20),
    homeP99Alone: Number(alone.p99.toFixed(1)),
    homeP99Beside: Number(beside.p99.toFixed(1)),
  };
}

function isDecoder(command) {
  return command.includes("decoder-process");
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

const accounts = ["seller@demo.test", "devon@demo.test", "priya@demo.test"];

/** Returns how many seconds the uploads take. */
async function uploadPhotos(site, count) {
  const photos = await largePhotos(count);
  const sellers = await Promise.all(accounts.map((email) => signIn(site, email)));
  const began = performance.now();
  const lane = async () => {
    for (let photo = photos.pop(); photo; photo = photos.pop()) {
      const { status, message } = await sendPhoto(sellers[photos.length % sellers.length], photo);
      if (status !== 200) throw new Error(`An upload was refused: ${message}`);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return (performance.now() - began) / 1000;
}

async function largePhotos(count) {
  const folder = join(root, "demo/photos");
  const names = readdirSync(folder).filter((name) => name.endsWith(".webp"));
  const enlarge = (name) =>
    sharp(join(folder, name)).resize(4000, 3000, { fit: "cover" }).jpeg({ quality: 90 }).toBuffer();
  return await Promise.all(names.slice(0, count).map(enlarge));
}

async function signIn(site, email) {
  const { browser } = await logIn(site, email, { password: demoPassword });
  return callsOver(await connect(browser, email));
}

const pages = ["/", "/login", "/signup", "/blogs"];

/** Counts the compressed bytes of each page's HTML, scripts and styles, and the page's elements. */
async function bytesOfPages(site) {
  const found = {};
  for (const path of pages) {
    const { bytes, text } = await get(site, path);
    const scripts = addresses(text, /(?:src|href)="(\/[^"]+\.js)"/g);
    const styles = addresses(text, /href="(\/[^"]+\.css)"/g);
    found[path] = {
      html: bytes,
      elements: text.match(/<[a-z]/g).length,
      script: await total(site, scripts),
      css: await total(site, styles),
    };
  }
  return found;
}

function addresses(text, pattern) {
  return [...new Set([...text.matchAll(pattern)].map(([, address]) => address))];
}

async function total(site, paths) {
  const answers = await Promise.all(paths.map((path) => get(site, path)));
  return answers.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function get(site, path) {
  const headers = { "accept-encoding": "br" };
  const [answer] = await once(request(`${site}${path}`, { headers }).end(), "response");
  const body = await buffer(answer);
  const isCompressed = answer.headers["content-encoding"] === "br";
  return { bytes: body.length, text: String(isCompressed ? brotliDecompressSync(body) : body) };
}
