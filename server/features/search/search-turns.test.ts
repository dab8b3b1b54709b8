import { setTimeout as wait } from "node:timers/promises";
import { expect, vi } from "vitest";
import { search } from "#contract/search.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { holdReads } from "../../testing/hold-reads.ts";
import { createVisitor } from "../../testing/people.ts";

const test = shopTest({ env: { TRUST_PROXY: "loopback" } });
test.afterEach(() => {
  vi.restoreAllMocks();
});

test("searches waiting their turn hold no replica connection", async ({ shop }) => {
  const { replicas } = shop.deps;
  const readReplica = replicas.read.bind(replicas);
  const { promise: four, resolve: fourRun } = Promise.withResolvers<void>();
  let running = 0;
  let maxRunning = 0;
  vi.spyOn(replicas, "read").mockImplementation(async (position, read) => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    if (running === 4) fourRun();
    await four;
    // Gives a fifth search time to begin.
    await wait(50);
    return await readReplica(position, read).finally(() => {
      running -= 1;
    });
  });
  const visitor = createVisitor(shop);
  const searches = Array.from({ length: 12 }, (_, turn) =>
    visitor.call(search, { query: { q: `laptop ${turn}` } }),
  );
  await Promise.all(searches);
  expect(maxRunning).toBe(4);
});

test.for([
  ["/api/search?q=", "198.51.100.7", "203.0.113.9"],
  ["/api/suggestions?q=", "2001:db8:1:1::7", "2001:db8:1:2::7"],
] as const)(
  "another network's request runs next, despite many waiting requests for %s from one network",
  async ([path, attacker, visitor], { shop }) => {
    const reads = holdReads(shop);
    const statuses: number[] = [];
    const ask = async (address: string, words: string) =>
      (await fetch(`${shop.url}${path}${words}`, { headers: { "x-forwarded-for": address } }))
        .status;
    const flood = Array.from({ length: 110 }, async (_, turn) =>
      statuses.push(await ask(attacker, `laptop${turn}`)),
    );
    // Four searches run, a hundred wait, and six get 503.
    await expect.poll(() => statuses).toEqual(Array(6).fill(503));
    const answer = ask(visitor, "thinkpad");
    // The visitor takes one of the attacker's places in the queue, and runs next.
    await expect.poll(() => statuses).toEqual(Array(7).fill(503));
    reads.endFirst();
    await expect.poll(reads.countBegun).toBe(5);
    reads.endLast();
    expect(await answer).toBe(200);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    reads.endAll();
    await Promise.all(flood);
  },
);
