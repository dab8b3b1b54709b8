import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { search } from "#contract/search.ts";
import { createVisitor } from "../../testing/people.ts";
import { openShop } from "../../testing/shop.ts";

test("searches that wait for their turn hold no connection of a replica", async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const { replicas } = shop.deps;
  const readReplica = replicas.read.bind(replicas);
  const { promise: four, resolve: fourRun } = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  vi.spyOn(replicas, "read").mockImplementation(async (position, read) => {
    running += 1;
    most = Math.max(most, running);
    if (running === 4) fourRun();
    await four;
    // Any other would begin meanwhile.
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
  expect(most).toBe(4);
});
