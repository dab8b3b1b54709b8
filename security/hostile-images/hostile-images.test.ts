import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/create-test-database.ts";
import { photo } from "#server/testing/marketplace.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import { createSignedInMember } from "../../faults/load/load-clients.ts";
import { findHome, type Program, startProgram } from "../../faults/load/program.ts";
import {
  animatedWebp,
  hugeGif,
  hugeProfile,
  lyingAvif,
  manyScans,
  png,
  storedPicture,
} from "../image-bombs.ts";

const maxMegabytes = 700;

let program: Program;
let folder: string;
let site: string;
/** The sellers' access tokens. */
let sellers: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-pictures-"));
  const databaseUrl = await createTestDatabase("pictures");
  const home = await findHome(databaseUrl, folder);
  program = await startProgram(home);
  site = home.url;
  const { db, pool } = openTestDatabase(databaseUrl, 1);
  const joining = Array.from({ length: 5 }, () => createSignedInMember(db, "seller"));
  sellers = await Promise.all((await Promise.all(joining)).map(({ token }) => token()));
  await pool.end();
});
afterAll(async () => {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
});

async function hostilePictures(): Promise<Buffer[]> {
  const rgba = { bits: 8, channels: 4 } as const;
  const deep = { bits: 16, channels: 4 } as const;
  return [
    png({ width: 16_000_000, height: 3, ...deep }),
    png({ width: 5_000_000, height: 10, ...rgba }),
    png({ width: 8_000, height: 6_000, ...deep, interlaced: true }),
    png({ width: 8_000, height: 6_000, ...rgba, interlaced: true }),
    png({ width: 20_000, height: 1_500, ...deep }),
    png({ width: 1_500, height: 20_000, ...deep, interlaced: true }),
    storedPicture("48-megapixels.avif"),
    lyingAvif(),
    storedPicture("12-megapixels.avif"),
    storedPicture("48-megapixels-cmyk-progressive.jpg.gz"),
    storedPicture("29-megapixels-cmyk-progressive.jpg.gz"),
    await manyScans(90),
    await animatedWebp(),
    storedPicture("48-megapixels-lossless.webp"),
    hugeGif(),
    hugeProfile(await photo()),
  ];
}

async function upload(bytes: Buffer, token: string): Promise<number> {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(bytes)]), "photo");
  const headers = { authorization: `Bearer ${token}` };
  const path = "/api/images/1/upload?key=embedded";
  const answer = await fetch(site + path, { method: "POST", body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends all pictures, and retries while the decoder is busy. Counts responses by status. */
async function sendAll(pictures: Buffer[], atOnce: number): Promise<Record<number, number>> {
  const told: Record<number, number> = {};
  const waiting = [...pictures.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, bytes] = next;
      const status = await upload(bytes, sellers[index % sellers.length] ?? "");
      if (status === 503) waiting.push(next);
      told[status] = (told[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return told;
}

/** Returns resident memory in megabytes, including child processes except the sandbox. */
function memoryOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim();
  const sizes = [parent, ...children.split(" ").filter(Boolean)].map((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (pid !== parent && command.includes("sandbox")) return 0;
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024;
    } catch {
      // The process ended before its files were read.
      return 0;
    }
  });
  return sizes.reduce((sum, megabytes) => sum + megabytes, 0);
}

/** Returns the peak memory of the server with its decoder during `work`, in megabytes. */
async function peakOf(work: Promise<unknown>): Promise<number> {
  let [peak, working] = [0, true];
  const done = work.finally(() => {
    working = false;
  });
  while (working) {
    peak = Math.max(peak, memoryOf(program.pid));
    await wait(20);
  }
  await done;
  return peak;
}

test(`the server and decoder use less than ${maxMegabytes} MB while processing 16 hostile images`, {
  timeout: 26 * 60_000,
}, async () => {
  const pictures = await hostilePictures();
  const before = memoryOf(program.pid);
  expect(before).toBeGreaterThan(0);
  const sending = sendAll(pictures, 8);
  const peak = await peakOf(sending);
  const told = await sending;
  console.log(
    `Hostile pictures: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most; answers ${JSON.stringify(told)}`,
  );
  expect(peak).toBeLessThan(maxMegabytes);
  const { 200: decoded = 0, 400: invalid = 0, 413: tooLarge = 0, 503: _, ...others } = told;
  expect(others).toEqual({});
  expect(decoded + invalid + tooLarge).toBe(pictures.length);
  expect(decoded).toBeGreaterThan(0);
  expect(tooLarge).toBeGreaterThan(0);
  expect(await upload(await photo(), sellers[0] ?? "")).toBe(200);
});

test("Home is served while interlaced PNGs are decoded", async () => {
  const bomb = png({ width: 4_000, height: 4_000, bits: 8, channels: 4, interlaced: true });
  // The responses in order of arrival: `page` for Home, or an upload's status.
  const answered: ("page" | number)[] = [];
  let uploading = true;
  const uploads = Promise.all(
    // Seven for each of two sellers, one more than a seller may upload at once.
    Array.from({ length: 14 }, async (_, index) => {
      answered.push(await upload(bomb, sellers[index % 2] ?? ""));
    }),
  ).finally(() => {
    uploading = false;
  });
  while (uploading) {
    expect(await homeStatus()).toBe(200);
    answered.push("page");
    // Requesting pages without a pause would take a core from the decoder.
    await wait(10);
  }
  await uploads;
  const statuses = answered.filter((one) => one !== "page");
  // On a slow machine, some uploads wait too long (503) or take too long (413).
  expect([200, 413, 429, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
  expect(statuses).toContain(429);
  // More than three pages per photo prove that pages don't wait for a photo to be decoded.
  const isDecoded = (one: "page" | number) => one === 200 || one === 413;
  const photos = answered.filter(isDecoded).length;
  expect(photos).toBeGreaterThan(1);
  const beside = answered.slice(answered.findIndex(isDecoded), answered.findLastIndex(isDecoded));
  const pages = beside.filter((one) => one === "page").length;
  expect(pages).toBeGreaterThan(3 * (photos - 1));
});

async function homeStatus(): Promise<number> {
  const answer = await fetch(site);
  await answer.arrayBuffer();
  return answer.status;
}
