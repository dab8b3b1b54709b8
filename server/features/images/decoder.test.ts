import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { photo } from "../../testing/marketplace.ts";
import { createDecoder } from "./decoder.ts";

let folder: string;
let small: string;
let large: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-decoder-"));
  [small, large] = [join(folder, "small.jpg"), join(folder, "large.png")];
  await writeFile(small, await photo());
  const create = { width: 4_500, height: 4_000, channels: 4, background: "#357" } as const;
  const interlaced = sharp({ create }).png({ progressive: true, compressionLevel: 1 });
  await interlaced.toFile(large);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const limits = { maxMemory: 480_000_000, deadlineMs: 60_000, maxWaiting: 2, maxWaitMs: 60_000 };
const decodeAny = createDecoder(limits);
const shape = "listing";

describe("a decoder", () => {
  test("a decoder process ends if an image exceeds the memory limit, and a new process decodes the next image", async () => {
    const decode = createDecoder({ ...limits, maxMemory: 150_000_000 });
    await expect(decode("a", { path: large, shape })).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: expect.stringContaining("too much memory or time"),
    });
    expect(await decode("a", { path: small, shape })).toMatchObject({ width: 800, height: 600 });
    expect(await decodeAny("a", { path: large, shape })).toMatchObject({ width: 1280 });
  });

  test("a decoder process ends if an image exceeds the time limit", async () => {
    const decode = createDecoder({ ...limits, deadlineMs: 1 });
    await expect(decode("a", { path: large, shape })).rejects.toMatchObject({ code: "TOO_LARGE" });
  });

  test("a decoder rejects images while its queue is full", async () => {
    const asked = Array.from({ length: 4 }, () => decodeAny("a", { path: small, shape }));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
    ]);
    await expect(asked[3]).rejects.toMatchObject({ code: "UNAVAILABLE", status: 503 });
    expect(await decodeAny("a", { path: small, shape })).toMatchObject({ width: 800 });
  });
});
