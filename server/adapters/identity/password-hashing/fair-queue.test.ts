import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

test("the queue serves clients in turn, however many items each client has queued", () => {
  const queue = new FairQueue<string>({ max: 10, maxPerClient: 3 });
  for (const item of ["a1", "a2", "a3"]) expect(queue.add("a", item)).toBe(true);
  queue.add("b", "b1");
  expect([1, 2, 3, 4, 5].map(() => queue.next())).toEqual(["a1", "b1", "a2", "a3", undefined]);
});

test("the queue rejects items beyond the limit per client or the limit for all clients", () => {
  const queue = new FairQueue<string>({ max: 3, maxPerClient: 2 });
  expect(["a", "a", "a", "b", "c"].map((client) => queue.add(client, "item"))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  queue.next();
  expect(queue.add("c", "item")).toBe(true);
});
