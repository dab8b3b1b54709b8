import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Fault, type S3Server, startS3Server } from "#sandbox/s3/s3-server.ts";
import { s3Images } from "./s3.ts";
import { testImageStore } from "./suite.ts";

const account = {
  bucket: "photos",
  region: "us-east-1",
  accessKeyId: "an-id",
  secretAccessKey: "a secret",
};
const timeouts = { connect: 500, attempt: 500, total: 2_000 };
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server({ ...account, credentials: account });
});
afterEach(() => {
  server.fault = undefined;
});
afterAll(() => server.close());

const open = (changes: Partial<Parameters<typeof s3Images>[0]> = {}) =>
  s3Images({ ...account, endpoint: server.url, pathStyle: true, ...changes });

describe("images in S3", () => {
  testImageStore(() => open());

  test("public images are stored with their type, their hash, and a header that allows caching for a year", async () => {
    const bytes = Buffer.from("bytes");
    await open().put("one-640.webp", bytes);
    expect(server.objects.get("one-640.webp")?.headers).toEqual({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-amz-meta-sha256": createHash("sha256").update(bytes).digest("hex"),
    });
  });

  test("private images are stored with a header that forbids caching", async () => {
    await open().put("private/one.jpg", Buffer.from("bytes"));
    const { headers } = server.objects.get("private/one.jpg") ?? {};
    expect(headers).toMatchObject({ "cache-control": "private, no-store" });
  });

  test("storing another image under the same name keeps the first image", async () => {
    await open().put("kept.jpg", Buffer.from("first"));
    const first = server.objects.get("kept.jpg");
    await open().put("kept.jpg", Buffer.from("second"));
    expect(server.objects.get("kept.jpg")).toBe(first);
  });

  test("images can be stored on a server without conditional writes", async () => {
    server.refuseConditions = true;
    await open().put("plain.jpg", Buffer.from("bytes"));
    server.refuseConditions = false;
    expect(await open().read("plain.jpg")).toEqual(Buffer.from("bytes"));
  });

  test("images that have changed or exceed the maximum photo size are reported as damaged", async () => {
    await open().put("changed.jpg", Buffer.from("bytes"));
    const { headers = {} } = server.objects.get("changed.jpg") ?? {};
    for (const body of [Buffer.from("other"), Buffer.alloc(11 * 1024 * 1024)]) {
      server.objects.set("changed.jpg", { body, headers });
      await expect(open().read("changed.jpg")).rejects.toThrow("This photo is damaged");
    }
  });
});

const page = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { "content-type": "text/html" }).end("<h1>Log in to the Wi-Fi</h1>");

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

const faults: [string, (response: ServerResponse) => unknown][] = [
  ["does not respond", () => {}],
  ["hangs up", (response) => response.destroy()],
  [
    "stops in the middle of a response",
    (response) => response.writeHead(200, { "content-length": 9 }).write("a"),
  ],
  ["responds with 500", (response) => response.writeHead(500).end(xml("InternalError"))],
  ["asks to slow down", (response) => response.writeHead(503).end(xml("SlowDown"))],
  ["rejects the key", (response) => response.writeHead(403).end(xml("InvalidAccessKeyId"))],
  ["has no such bucket", (response) => response.writeHead(404).end(xml("NoSuchBucket"))],
  ["responds with 200 and a page", page(200)],
  ["responds with 404 and a page", page(404)],
  ["responds with 500 and a page", page(500)],
];

test.each(faults)(
  "calls throw UNAVAILABLE while the storage %s, and reads succeed afterward",
  async (_, answer) => {
    await open().put("before.jpg", Buffer.from("bytes"));
    const store = open({ timeouts });
    const requests = server.requests.length;
    server.fault = ((_, response) => answer(response)) satisfies Fault;
    const unavailable = {
      code: "UNAVAILABLE",
      message: expect.stringMatching(/^We can't reach our photo storage just now|is damaged/),
    };
    const ends = await Promise.allSettled([
      store.put("during.jpg", Buffer.from("bytes")),
      store.read("before.jpg"),
      store.delete("before.jpg"),
    ]);
    expect(ends).toMatchObject(ends.map(() => ({ status: "rejected", reason: unavailable })));
    // Each call makes at most two attempts.
    expect(server.requests.length - requests).toBeLessThanOrEqual(6);
    server.fault = undefined;
    const read = () => store.read("before.jpg").catch(() => undefined);
    await expect.poll(read).toEqual(Buffer.from("bytes"));
    expect(await open().read("during.jpg")).toBeUndefined();
  },
);
