import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { diskImages } from "./image-store.ts";
import { testImageStore } from "./suite.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-images-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("images on disk", () => {
  testImageStore(() => diskImages(folder));

  test("storing an image leaves no temporary files, and another store for the folder can read the image", async () => {
    await diskImages(folder).put("ab-photo.jpg", Buffer.from("bytes"));
    expect(await readdir(join(folder, "ab"))).toEqual(["ab-photo.jpg"]);
    expect(await diskImages(folder).read("ab-photo.jpg")).toEqual(Buffer.from("bytes"));
  });

  test("other users of the machine can't read private images", async () => {
    await diskImages(folder).put("private/ef-photo.jpg", Buffer.from("bytes"));
    const modeOf = async (...path: string[]) =>
      ((await stat(join(folder, "private", ...path))).mode & 0o777).toString(8);
    expect(await modeOf()).toBe("700");
    expect(await modeOf("ef", "ef-photo.jpg")).toBe("600");
    expect(await diskImages(folder).read("private/ef-photo.jpg")).toEqual(Buffer.from("bytes"));
  });
});
