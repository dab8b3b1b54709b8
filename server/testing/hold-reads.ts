import { onTestFinished, vi } from "vitest";
import type { Shop } from "./shop.ts";

/** Lets the public cache be used until the test ends, even while the database is slow. */
export function keepCacheCurrent({ deps: { publicCache } }: Shop): void {
  publicCache.setCurrentUntil(Number.POSITIVE_INFINITY);
  const reading = vi.spyOn(publicCache, "setCurrentUntil").mockImplementation(() => {});
  onTestFinished(() => reading.mockRestore());
}

/** Delays reads that a replica may answer, until the test ends or releases them. */
export function holdReads({ deps: { replicas } }: Shop) {
  const read = replicas.read.bind(replicas);
  const held: (() => void)[] = [];
  let begun = 0;
  let isHolding = true;
  vi.spyOn(replicas, "read").mockImplementation(async (position, work) => {
    begun += 1;
    if (isHolding) await new Promise<void>((end) => held.push(end));
    return await read(position, work);
  });
  const endAll = () => {
    isHolding = false;
    for (const end of held.splice(0)) end();
  };
  onTestFinished(endAll);
  return {
    countBegun: () => begun,
    endFirst: () => held.shift()?.(),
    endLast: () => held.pop()?.(),
    endAll,
  };
}
