import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { PublicCache } from "./public-cache.ts";

const tags = ["category:1"];
const [neighbor, visitor] = ["192.0.2.1", "198.51.100.1"];

/** A render returns how many renders have begun, and waits until `end` is called. */
function openCache() {
  const cache = new PublicCache();
  cache.setCurrentUntil(Number.POSITIVE_INFINITY);
  let begun = 0;
  const ends: (() => void)[] = [];
  let endedAhead = 0;
  const render = async () => {
    const body = String(++begun);
    if (endedAhead > 0) endedAhead -= 1;
    else await new Promise<void>((end) => ends.push(end));
    return { status: 200, headers: {}, tags, body };
  };
  const get = async (reader?: string) =>
    String((await (await cache.get("list", render, { reader })).encode("identity")).bytes);
  const many = (count: number) => Promise.all(Array.from({ length: count }, () => get()));
  const end = () => {
    const next = ends.shift();
    if (next) next();
    else endedAhead += 1;
  };
  return { cache, get, many, render, begun: () => begun, end };
}

test("a thousand concurrent cache misses share one render", async () => {
  const { many, begun, end } = openCache();
  const answers = many(1_000);
  end();
  expect(new Set(await answers)).toEqual(new Set(["1"]));
  expect(begun()).toBe(1);
});

test("requests after a change share one render that began after the change", async () => {
  const { cache, many, get, begun, end } = openCache();
  const before = many(500);
  await expect.poll(begun).toBe(1);
  cache.invalidate(tags);
  const after = many(500);
  end();
  expect(new Set(await before)).toEqual(new Set(["1"]));
  await expect.poll(begun).toBe(2);
  end();
  expect(new Set(await after)).toEqual(new Set(["2"]));
  expect(await get()).toBe("2");
  expect(begun()).toBe(2);
});

test("an unrelated change affects neither a running render nor the cached response", async () => {
  const { cache, get, begun, end } = openCache();
  const first = get();
  await expect.poll(begun).toBe(1);
  cache.invalidate(["category:2"]);
  const second = get();
  end();
  expect(await Promise.all([first, second])).toEqual(["1", "1"]);
  cache.invalidate(["category:2"]);
  expect(await get()).toBe("1");
  expect(begun()).toBe(1);
});

test("after a change, nobody gets the stale response", async () => {
  const { cache, get, begun, end } = openCache();
  const first = get();
  end();
  await first;
  expect(cache.hit("list")).toBeDefined();
  cache.invalidate(tags);
  expect(cache.hit("list")).toBeUndefined();
  const late = get(visitor);
  await expect.poll(begun).toBe(2);
  end();
  expect(await late).toBe("2");
});

test("a failed render is not cached, and all requests waiting for the render get its error", async () => {
  const cache = new PublicCache();
  const failing = () => Promise.reject(new Error("no database"));
  const results = await Promise.allSettled([
    cache.get("list", failing),
    cache.get("list", failing),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const render = async () => ({ status: 200, headers: {}, tags, body: "well" });
  expect((await cache.get("list", render)).status).toBe(200);
});

/** Freezes `performance.now`. Returns a function that advances it. */
function stopTime(): (ms: number) => void {
  // The time is an integer, so that sums are exact.
  let now = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    now += ms;
  };
}

test("a server error is cached for a second", async () => {
  const advance = stopTime();
  const cache = new PublicCache();
  let begun = 0;
  const render = async () => ({ status: 500, headers: {}, body: String(++begun) });
  for (let n = 0; n < 10; n += 1) await cache.get("page", render);
  expect(begun).toBe(1);
  advance(999);
  await cache.get("page", render);
  expect(begun).toBe(1);
  advance(1);
  await cache.get("page", render);
  expect(begun).toBe(2);
});

test("a page is stale if it was rendered from a stale API response", async () => {
  const cache = new PublicCache();
  let price = 1;
  const list = () =>
    cache.get("list", async () => ({ status: 200, headers: {}, tags, body: `${price}` }));
  const page = async () => {
    const { bytes } = await (await list()).encode("identity");
    return { status: 200, headers: {}, body: `page of ${bytes}` };
  };
  const read = async () =>
    String((await (await cache.get("page", page, { reader: visitor })).encode("identity")).bytes);
  expect(await read()).toBe("page of 1");
  price = 2;
  cache.invalidate(tags);
  expect(await read()).toBe("page of 2");
});

test("renders beyond the queue's limit are rejected with a time to retry", async () => {
  const { cache, render, begun, end } = openCache();
  const reads = Array.from({ length: 300 }, (_, n) => cache.get(`list ${n}`, render));
  const refused = Promise.allSettled(reads);
  await expect.poll(begun).toBe(8);
  for (let ended = 0; ended < 208; ended += 1) end();
  const failures = (await refused).filter(({ status }) => status === "rejected");
  expect(failures).toHaveLength(92);
  expect(failures[0]).toMatchObject({ reason: { code: "UNAVAILABLE", retryAfter: 2 } });
});

test("a page at the end of one network's queue is rendered next if another network requests it too", async () => {
  const cache = new PublicCache();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (body: string, reader: string) => {
    const render = async () => {
      begun.push(body);
      await new Promise<void>((end) => ends.push(end));
      return { status: 200, headers: {}, body };
    };
    return cache.get(body, render, { reader, queue: "pages" });
  };
  const others = Array.from({ length: 9 }, (_, n) => ask(`page ${n}`, neighbor));
  const homes = [ask("home", neighbor), ask("home", visitor)];
  await expect.poll(() => begun).toEqual(["page 0", "page 1"]);
  ends.shift()?.();
  await expect.poll(() => begun).toEqual(["page 0", "page 1", "home"]);
  for (let ended = 0; ended < 9; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  await Promise.all([...others, ...homes]);
  expect(begun.filter((body) => body === "home")).toHaveLength(1);
});

test("a response is compressed only for requested encodings, quickly at first and recompressed to a smaller size later", async () => {
  const cache = new PublicCache();
  cache.setCurrentUntil(Number.POSITIVE_INFINITY);
  const body = Array.from({ length: 5_000 }, (_, n) => `laptop ${n * n}`).join(" ");
  const response = await cache.get("list", async () => ({ status: 200, headers: {}, tags, body }));
  const first = await response.encode("br");
  expect(response.encoded("gzip")).toBeUndefined();
  const smallest = async () => {
    cache.hit("list");
    await wait(50);
    return response.encoded("br")?.bytes.length;
  };
  await expect.poll(smallest).toBeLessThan(first.bytes.length);
  expect(response.encoded("gzip")).toBeUndefined();
});

test("a response with a maximum age is rendered again after that age, as is any page rendered from it", async () => {
  const cache = new PublicCache({ cdnSeconds: 3_600 });
  cache.setCurrentUntil(Number.POSITIVE_INFINITY);
  const advance = stopTime();
  let begun = 0;
  const laptop = () =>
    cache.get("laptop", async () => ({
      status: 200,
      headers: {},
      tags,
      body: String(++begun),
      maxAge: { nodeSeconds: 600, cdnSeconds: 2_970 },
    }));
  const page = async () => {
    const { bytes } = await (await laptop()).encode("identity");
    return { status: 200, headers: {}, body: `page of ${bytes}` };
  };
  const read = async () => {
    const { bytes, headers } = await (await cache.get("page", page)).encode("identity");
    expect(headers["surrogate-control"]).toBe("max-age=2970, stale-while-revalidate=30");
    return String(bytes);
  };
  await laptop();
  advance(300_000);
  expect(await read()).toBe("page of 1");
  advance(299_000);
  expect(await read()).toBe("page of 1");
  expect(cache.hit("page")).toBeDefined();
  advance(1_000);
  expect(cache.hit("page")).toBeUndefined();
  expect(await read()).toBe("page of 2");
});

test("no CDN may cache a response that became stale during its render", async () => {
  const cache = new PublicCache({ cdnSeconds: 3_600 });
  cache.setCurrentUntil(Number.POSITIVE_INFINITY);
  const begun = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  const list = async () => {
    begun.resolve();
    await changed.promise;
    return { status: 200, headers: {}, tags, body: "a list" };
  };
  const page = async () => {
    await cache.get("list", list);
    return { status: 200, headers: {}, body: "a page" };
  };
  const headers = async () => {
    const answers = await Promise.all([cache.get("list", list), cache.get("page", page)]);
    const sent = await Promise.all(answers.map((answer) => answer.encode("identity")));
    return sent.map((answer) => answer.headers["surrogate-control"]);
  };
  const outdated = headers();
  await begun.promise;
  cache.invalidate(tags);
  changed.resolve();
  expect(await outdated).toEqual(["max-age=0", "max-age=0"]);
  const kept = expect.stringContaining("max-age=3600");
  expect(await headers()).toEqual([kept, kept]);
});
