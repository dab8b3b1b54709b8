import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { Overloaded } from "./errors.ts";
import { FairQueue, type QueueLimits } from "./fair-queue.ts";

/** `end` ends the oldest running task. `begun` lists the tasks' owners, oldest first. */
function openQueue(limits: Partial<QueueLimits> = {}) {
  const refusal = () => new Overloaded("Full.", 2);
  const queue = new FairQueue({ concurrency: 1, maxWaiting: 100, refusal, ...limits });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const taskOf = (owner: string) => async () => {
    begun.push(owner);
    await new Promise<void>((end) => ends.push(end));
    return owner;
  };
  const outcomes: string[] = [];
  const ask = (owner: string, task = taskOf(owner), options = {}) =>
    void queue.run(owner, task, options).then(
      () => outcomes.push(`${owner} done`),
      ({ code }) => outcomes.push(`${owner} ${code}`),
    );
  const end = async () => {
    ends.shift()?.();
    await nextTick();
  };
  return { queue, ask, taskOf, begun, end, outcomes };
}

test("with a concurrency of 1, tasks run one at a time, round robin by owner", async () => {
  const { ask, begun, end } = openQueue();
  for (const owner of "aaaaabbbc") ask(owner);
  for (let ended = 1; ended < 9; ended += 1) {
    expect(begun).toHaveLength(ended);
    await end();
  }
  expect(begun.join("")).toBe("abcababaa");
});

test("up to `concurrency` tasks run at the same time", async () => {
  const { ask, begun, end } = openQueue({ concurrency: 4 });
  for (const owner of "aaaaaaab") ask(owner);
  expect(begun.join("")).toBe("aaaa");
  await end();
  expect(begun.join("")).toBe("aaaab");
});

test("a task that has waited longer than `maxWaitMs` is rejected", async () => {
  const { ask, end, outcomes } = openQueue({ maxWaitMs: 50 });
  ask("a");
  ask("b");
  await expect.poll(() => outcomes).toEqual(["b UNAVAILABLE"]);
  await end();
  ask("c");
  await end();
  expect(outcomes).toEqual(["b UNAVAILABLE", "a done", "c done"]);
});

test("one owner can fill the queue, but loses its newest tasks when other owners add tasks", async () => {
  const { ask, begun, end, outcomes } = openQueue({ maxWaiting: 4 });
  const refused = async (asked: string) => {
    for (const owner of asked) ask(owner);
    await nextTick();
    return outcomes.splice(0).join();
  };
  expect(await refused("aaaaaa")).toBe("a UNAVAILABLE");
  expect(await refused("b")).toBe("a UNAVAILABLE");
  expect(await refused("b")).toBe("a UNAVAILABLE");
  expect(await refused("ab")).toBe("a UNAVAILABLE,b UNAVAILABLE");
  for (let ended = 0; ended < 5; ended += 1) await end();
  expect(begun.join("")).toBe("ababa");
});

test("a waiting owner is not starved by a stream of new owners", async () => {
  const { ask, begun, end } = openQueue();
  ask("a");
  ask("a");
  for (const stranger of "bcdefg") {
    ask(stranger);
    await end();
  }
  expect(begun.join("")).toMatch(/^a.{1,2}a/);
});

test("a full queue does not reject a task with `mustWait`", async () => {
  const { ask, taskOf, begun, end, outcomes } = openQueue({ maxWaiting: 1 });
  ask("a");
  for (let asked = 0; asked < 3; asked += 1) ask("a", taskOf("a"), { mustWait: true });
  ask("b");
  await nextTick();
  expect(outcomes).toEqual(["b UNAVAILABLE"]);
  for (let ended = 0; ended < 4; ended += 1) await end();
  expect(begun.join("")).toBe("aaaa");
});

test("if another owner with fewer waiting tasks joins a waiting task, the task runs in that owner's turn", async () => {
  const { queue, ask, taskOf, begun, end } = openQueue();
  const shared = taskOf("shared");
  for (let asked = 0; asked < 4; asked += 1) ask("a");
  ask("a", shared);
  queue.join(shared, "b");
  await end();
  expect(begun).toEqual(["a", "shared"]);
});

test("joining a waiting task with `mustWait` protects the task from rejection when other owners add tasks", async () => {
  const { queue, ask, taskOf, begun, end, outcomes } = openQueue({ maxWaiting: 3 });
  const shared = taskOf("shared");
  for (let asked = 0; asked < 3; asked += 1) ask("a");
  ask("a", shared);
  queue.join(shared, "a", { mustWait: true });
  ask("b");
  await nextTick();
  expect(outcomes).toEqual(["a UNAVAILABLE"]);
  for (let ended = 0; ended < 3; ended += 1) await end();
  expect(begun).toEqual(["a", "b", "a", "shared"]);
});
