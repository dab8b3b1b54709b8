import { createServer, type RequestListener } from "node:http";
import { isIP } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../testing/free-port.ts";
import { imageHost, isPublicAddress, NotPublic, publicLookup, type Resolve } from "./image-host.ts";

const browser = { url: "https://api.example.com", key: "a-key" };

type Options = { local?: boolean; timeoutMs?: number };

async function hostThat(answer: RequestListener, { local = true, ...options }: Options = {}) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${port}`;
  const host = imageHost({ ...browser, origins: [origin], local, ...options });
  return {
    download: (path: string, from = origin) => host.download(new URL(path, from), "start"),
    requests: () => requests,
    port,
  };
}

test("a download returns a photo's media type and first bytes", async () => {
  const { download } = await hostThat((_, response) =>
    response.writeHead(200, { "content-type": "image/JPEG; charset=x" }).end("0123456789abcdefgh"),
  );
  const bytes = Buffer.from("0123456789abcdef");
  expect(await download("/photo")).toEqual({ type: "image/jpeg", bytes });
});

test("a download follows no redirects, and rejects other origins and missing files", async () => {
  const { download, requests } = await hostThat(({ url }, response) =>
    response.writeHead(url === "/moved" ? 302 : 404, { location: "http://169.254.169.254/" }).end(),
  );
  expect(await download("/moved")).toBe("refused");
  expect(await download("/missing")).toBe("refused");
  expect(requests()).toBe(2);
  expect(await download("/photo", "http://127.0.0.1:9")).toBe("refused");
});

test("a download of an endless response stops after 10 MB", async () => {
  const { download } = await hostThat(
    (_, response) => {
      const write = () => {
        while (response.write(Buffer.alloc(100_000)));
        response.once("drain", write);
      };
      write();
    },
    { timeoutMs: 60_000 },
  );
  expect(await download("/endless")).toBe("too large");
});

test.each<[string, RequestListener]>([
  ["does not respond", () => {}],
  [
    "stops in the middle of a response",
    (_, response) => response.writeHead(200, { "content-length": 9 }).write("a"),
  ],
  [
    "sends a byte at a time",
    (_, response) => void setInterval(() => response.write("a"), 50).unref(),
  ],
  ["hangs up", (_, response) => response.destroy()],
  ["responds with 500", (_, response) => response.writeHead(500).end()],
  ["asks to slow down", (_, response) => response.writeHead(429).end()],
])("a download from a host that %s throws UNAVAILABLE", async (_, answer) => {
  const { download } = await hostThat(answer, { timeoutMs: 300 });
  await expect(download("/photo")).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "The image host does not answer just now. Please try again in a minute.",
  });
});

test.each([
  ["text/html; charset=utf-8", "<h1>Sign in to the Wi-Fi</h1>"],
  ["application/json", '{"status":"ok"}'],
])("a download throws UNAVAILABLE if the response is %s, not a photo", async (type, body) => {
  const { download } = await hostThat((_, response) =>
    response.writeHead(200, { "content-type": type }).end(body),
  );
  await expect(download("/photo")).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("did not send the photo. Please try again in a minute"),
  });
});

test("a download from a private IP address is rejected without a connection", async () => {
  const { download, requests } = await hostThat((_, response) => response.end(), { local: false });
  expect(await download("/photo")).toBe("refused");
  expect(requests()).toBe(0);
});

/** Answers each query with the next list. */
async function lookUp(...answers: string[][]) {
  const resolve: Resolve = (_, callback) =>
    callback(
      null,
      (answers.shift() ?? []).map((address) => ({ address, family: isIP(address) })),
    );
  return await new Promise((done) =>
    publicLookup(resolve)("photos.example.com", { all: true }, (...result) => done(result)),
  );
}

test("a host name is rejected if any of its IP addresses is private, and no later lookup replaces the addresses that were checked", async () => {
  const refused = [expect.any(NotPublic), "", 0];
  expect(await lookUp(["127.0.0.1"])).toEqual(refused);
  expect(await lookUp(["93.184.216.34", "10.0.0.1"])).toEqual(refused);
  expect(await lookUp(["::ffff:192.168.0.1"])).toEqual(refused);
  const found = [{ address: "93.184.216.34", family: 4 }];
  expect(await lookUp(["93.184.216.34"], ["127.0.0.1"])).toEqual([null, found]);
});

test("no connection is made to a host name that resolves to a private IP address", async () => {
  const { requests, port } = await hostThat((_, response) => response.end());
  const origin = `http://photos.example.com:${port}`;
  const resolve: Resolve = (_, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);
  const host = imageHost({ ...browser, origins: [origin], local: false, resolve });
  expect(await host.download(new URL("/photo", origin), "start")).toBe("refused");
  expect(requests()).toBe(0);
});

test.each([
  ["93.184.216.34", true],
  ["2606:2800:220:1::", true],
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["fe80::1", false],
  ["fc00::1", false],
  ["::ffff:10.0.0.1", false],
  ["64:ff9b::10.0.0.1", false],
  ["2002:a00:1::", false],
  ["::7f00:1", false],
  ["not an address", false],
])("isPublicAddress('%s') returns %s", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
