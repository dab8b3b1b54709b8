import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { bytesOfPages } from "./page-bytes.mjs";
import { cpuOf, load, memoryOf, start } from "./processes.mjs";
import { startProgram, withFolder } from "./program.mjs";
import { addressOf, requestText } from "./shop.mjs";
import { uploadPhotos } from "./uploads.mjs";

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

/** The demo photos' AVIF jobs would disturb other measurements. */
async function untilPhotosAreDone(folder) {
  const db = new pg.Client({ connectionString: addressOf(folder) });
  await db.connect();
  const left = `select (select count(*) from job_outbox)
    + (select count(*) from graphile_worker.jobs where task_identifier = 'encodeAvif') as jobs`;
  while (Number((await db.query(left)).rows[0].jobs) > 0) await wait(200);
  await db.end();
}

/** Uploads twenty 12-megapixel photos while other clients request Home. */
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
