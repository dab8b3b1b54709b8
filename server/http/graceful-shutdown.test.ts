import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { openShop } from "../testing/shop.ts";
import { enableGracefulShutdown } from "./graceful-shutdown.ts";

test("a draining node fails /readyz, but accepts and finishes requests until it closes", async () => {
  const { app, url, close } = await openShop({});
  const categories = async () => {
    const { status, headers } = await fetch(`${url}/api/categories`);
    return [status, headers.get("connection")];
  };
  // The second response comes from the cache.
  for (const _ of [1, 2]) expect(await categories()).toEqual([200, "keep-alive"]);
  const body = JSON.stringify({ name: "Ada" });
  const begun = connect(Number(new URL(url).port), "127.0.0.1");
  begun.write(
    `POST /api/no/such/call HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\n`,
  );
  begun.write(`content-length: ${body.length}\r\n\r\n{`);
  await once(begun, "ready");

  app.drain();
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await categories()).toEqual([200, "close"]);
  const closed = close();
  await expect.poll(() => app.server.listening).toBe(false);
  begun.write(body.slice(1));
  expect(String(await once(begun, "data"))).toMatch(/^HTTP\/1.1 404 .*"code":"NOT_FOUND"/s);
  await closed;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test("a closing node finishes sending a cached response to a slow client", async () => {
  const { app, url, close, deps } = await openShop({});
  const { publicCache } = deps;
  await fetch(`${url}/api/categories`);
  const key = publicCache.addresses.find("/api/categories")?.key ?? "";
  publicCache.clear();
  // Larger than the socket buffers of client and server.
  const body = "x".repeat(16 * 1024 * 1024);
  const cached = await publicCache.get(key, async () => ({ status: 200, headers: {}, body }));
  await cached.encode("identity");
  const connected = once(app.server, "connection");
  const slow = connect(Number(new URL(url).port), "127.0.0.1");
  const [sending] = (await connected) as [Socket];
  slow.write("GET /api/categories HTTP/1.1\r\nhost: shop\r\naccept-encoding: identity\r\n\r\n");
  await once(slow, "readable");
  expect(publicCache.requests.hits).toBe(1);

  const closed = close();
  await expect.poll(() => app.server.listening).toBe(false);
  expect(sending.writableLength).toBeGreaterThan(0);
  const answer = await text(slow);
  expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toHaveLength(body.length);
  await closed;
});

test("a closing node does not wait for event streams that browsers have closed", async () => {
  const app = Fastify();
  enableGracefulShutdown(app, Number.POSITIVE_INFINITY);
  app.get("/events", (_request, reply) => {
    reply.hijack();
    reply.raw.flushHeaders();
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const browser = new AbortController();
  await fetch(`${url}/events`, { signal: browser.signal });
  // Browsers open connections in advance.
  const unused = connect(Number(new URL(url).port), "127.0.0.1");
  await once(unused, "connect");
  browser.abort();
  await app.close();
});
