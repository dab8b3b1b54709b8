import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import pg from "pg";
import sharp from "sharp";
import { root } from "../../scripts/run.mjs";
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
      const uploads = await measureUploads(program);
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

/** Waits for the demo photos' AVIF jobs, which would disturb other measurements. */
async function untilPhotosAreDone(folder) {
  const db = new pg.Client({ connectionString: addressOf(folder) });
  await db.connect();
  const left = `select (select count(*) from job_outbox)
    + (select count(*) from graphile_worker.jobs where task_identifier = 'encodeAvif') as jobs`;
  while (Number((await db.query(left)).rows[0].jobs) > 0) await wait(200);
  await db.end();
}

async function measureUploads({ site, pid }) {
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
  const { seconds, avifDone } = await uploading;
  await avifDone();
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

/** `avifDone` waits for the job that encodes AVIF. */
async function uploadPhotos(site, count) {
  const photos = await largePhotos(count);
  const tokens = await Promise.all(accounts.map((email) => signIn(site, email)));
  const urls = [];
  const began = performance.now();
  const lane = async () => {
    for (let photo = photos.pop(); photo; photo = photos.pop())
      urls.push(await upload(site, tokens[photos.length % tokens.length], photo));
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return {
    seconds: (performance.now() - began) / 1000,
    avifDone: () => Promise.all(urls.map(avifOf)),
  };
}

async function upload(site, token, photo) {
  const body = new FormData();
  body.append("image", new Blob([photo]), "photo.jpg");
  const answer = await fetch(`${site}/api/images/1/upload?key=embedded`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (!answer.ok) throw new Error(`An upload was refused: ${await answer.text()}`);
  return (await answer.json()).data.url;
}

async function avifOf(url) {
  const headers = { accept: "image/avif" };
  const isThere = async () => {
    const answer = await fetch(url.replace(".jpg", "-640.webp"), { headers });
    await answer.arrayBuffer();
    return answer.headers.get("content-type") === "image/avif";
  };
  while (!(await isThere())) await wait(100);
}

async function largePhotos(count) {
  const folder = join(root, "demo/photos");
  const names = readdirSync(folder).filter((name) => name.endsWith(".webp"));
  const enlarge = (name) =>
    sharp(join(folder, name)).resize(4000, 3000, { fit: "cover" }).jpeg({ quality: 90 }).toBuffer();
  return await Promise.all(names.slice(0, count).map(enlarge));
}

async function signIn(site, email) {
  const entered = await fetch(`${site}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: site },
    body: JSON.stringify({ email, password: "Demo#2026" }),
  });
  const cookies = entered.headers.getSetCookie().map((one) => one.split(";")[0]);
  const issued = await fetch(`${site}/api/jwt?email=${email}`, {
    headers: { cookie: cookies.join("; ") },
  });
  return (await issued.json()).accessToken;
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
