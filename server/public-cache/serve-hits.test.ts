import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { openShop } from "../testing/shop.ts";

const shop = await openShop({ pages: true, env: { RATE_LIMIT: "on" } });
afterAll(() => shop.close());

/** Below the limit on connections per IP address. */
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

type Options = { method?: string; headers?: Record<string, string> | string[]; body?: string };

async function ask(path: string, { body, ...options }: Options = {}) {
  const sent = request(shop.url + path, { agent, ...options }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

/** Waits until the cache serves the path. Counts the requests from `work` that reach Fastify. */
async function reachFastify(path: string, work: () => Promise<unknown>): Promise<number> {
  const { publicCache } = shop.deps;
  const key = () => publicCache.addresses.find(path)?.key ?? "";
  await ask(path, { headers: { "accept-encoding": "br" } });
  await expect.poll(() => publicCache.hit(key())).toBeDefined();
  let seen = 0;
  const find = publicCache.get;
  publicCache.get = async (...parameters) => {
    seen += 1;
    return await find.apply(publicCache, parameters);
  };
  await work().finally(() => {
    publicCache.get = find;
  });
  return seen;
}

describe.each(["/blogs", "/api/config", "/"])("%s from the cache", (path) => {
  const compressed = { headers: { "accept-encoding": "br" } };

  test("a response from the cache has the same headers and length as a response from the router", async () => {
    const { headers } = await shop.app.inject({ url: path, ...compressed });
    const hit = await ask(path, compressed);
    const { "x-ratelimit-remaining": left, date: _, ...rest } = hit.headers;
    const { connection, "keep-alive": alive, ...ours } = rest;
    expect([connection, typeof alive, Number(left) > 0]).toEqual(["keep-alive", "string", true]);
    const { connection: __, date: ___, ...expected } = headers;
    expect(ours).toEqual({
      ...expected,
      "x-ratelimit-limit": "1000",
      "x-ratelimit-reset": expect.any(String),
    });
    expect(hit.body).toHaveLength(Number(headers["content-length"]));
  });

  test("a request answered from the cache does not reach the router", async () => {
    const { etag = "" } = (await ask(path, compressed)).headers;
    const work = async () => {
      expect((await ask(path, compressed)).status).toBe(200);
      const known = { ...compressed.headers, "if-none-match": etag };
      const unchanged = await ask(path, { headers: known });
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
      expect(unchanged.headers).toMatchObject({ etag, "x-frame-options": "DENY" });
      expect(unchanged.headers).not.toHaveProperty("content-encoding");
    };
    expect(await reachFastify(path, work)).toBe(0);
  });

  test("a request answered from the cache counts against the rate limit", async () => {
    const left = async () => Number((await ask(path, compressed)).headers["x-ratelimit-remaining"]);
    expect(await left()).toBe((await left()) + 1);
  });

  test("the cache passes HEAD requests, and requests with two Host headers, to the router", async () => {
    const twoHosts = ["host", "127.0.0.1", "host", "evil.example", "accept-encoding", "br"];
    expect((await ask(path, { headers: twoHosts })).status).toBe(400);
    const head = await ask(path, { method: "HEAD", ...compressed });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });
});

test("the cache ignores the query of a page that doesn't read it, but not the query of an API call", async () => {
  expect(await reachFastify("/blogs", () => ask("/blogs?from=mail", { headers: br }))).toBe(0);
  expect(await reachFastify("/api/config", () => ask("/api/config?x=1", { headers: br }))).toBe(1);
});

test("the cache serves an unknown path like a page, for any query", async () => {
  const work = async () => {
    for (const path of ["/no-such-page", "/no-such-page?from=mail"])
      expect((await ask(path, { headers: br })).status).toBe(404);
  };
  expect(await reachFastify("/no-such-page", work)).toBe(0);
});

const br = { "accept-encoding": "br" };

test("an IP address that exceeds the rate limit gets 429, even for cached responses: a page as HTML, a call as JSON", async () => {
  const reads = [];
  for (let n = 0; n < 1_000; n += 1) reads.push(ask("/blogs", { headers: br }));
  await Promise.all(reads);
  const refused = await ask("/blogs", { headers: br });
  expect([refused.status, refused.headers["x-ratelimit-remaining"]]).toEqual([429, "0"]);
  expect(refused.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(String(refused.body)).toContain("<h1>Too many requests</h1>");
  const call = await ask("/api/categories");
  expect(call.status).toBe(429);
  expect(JSON.parse(String(call.body))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.2, gzip;q=0.9", "gzip"],
  ["*", "br"],
  ["deflate", undefined],
  ["", undefined],
])("a request with Accept-Encoding %j gets Content-Encoding %j", async (accepted, encoding) => {
  const { headers, rawPayload } = await shop.app.inject({
    url: "/api/categories",
    headers: { "accept-encoding": accepted },
  });
  expect(headers["content-encoding"]).toBe(encoding);
  if (encoding === undefined) expect(JSON.parse(rawPayload.toString())).not.toEqual([]);
  const again = await shop.app.inject({
    url: "/api/categories",
    headers: { "accept-encoding": accepted, "if-none-match": `W/${headers.etag}` },
  });
  expect(again.statusCode).toBe(304);
});
