import { afterAll, beforeAll, expect, test } from "vitest";
import { type ImageHostServer, startImageHost } from "./image-host-server.ts";

let host: ImageHostServer;
beforeAll(async () => {
  host = await startImageHost({ key: "a-key", maxBytes: 1_000 });
});
afterAll(() => host.close());

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...Array.from({ length: 96 }, () => 1)]);

async function post(bytes: Uint8Array<ArrayBuffer>, { key = "a-key", field = "image" } = {}) {
  const body = new FormData();
  body.append(field, new Blob([bytes]), "photo.jpg");
  const answer = await fetch(`${host.url}/1/upload?key=${key}`, { method: "POST", body });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  return { status: answer.status, body: await answer.json() };
}

test("the image host returns the URL of an uploaded photo, and serves the photo", async () => {
  const { status, body } = await post(jpeg);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    status: 200,
    data: { url: expect.stringMatching(/\/photo\.jpeg$/) },
  });
  const delivered = await fetch(body.data.url);
  expect(delivered.headers.get("content-type")).toBe("image/jpeg");
  expect(new Uint8Array(await delivered.arrayBuffer())).toEqual(jpeg);
});

test.each([
  ["a wrong key", () => post(jpeg, { key: "guessed" }), "Invalid API v1 key.", 100],
  ["a missing image", () => post(jpeg, { field: "photo" }), "Empty upload source.", 130],
  ["an empty image", () => post(new Uint8Array()), "Empty upload source.", 130],
  ["a non-photo file", () => post(jpeg.slice(10)), "Can't get target upload source info", 310],
  [
    "a large photo",
    () => post(new Uint8Array([...jpeg, ...new Uint8Array(1_000)])),
    "File too big.",
    313,
  ],
])("the image host rejects %s with the same error as imgbb", async (_, send, message, code) => {
  expect(await send()).toEqual({
    status: 400,
    body: {
      status_code: 400,
      error: { message, code, context: "Exception" },
      status_txt: "Bad Request",
    },
  });
});
