import { onTestFinished, vi } from "vitest";
import { FairQueue } from "../fair-queue.ts";
import type { Shop } from "./shop.ts";

/** Adds `count` events to each key of the limit. Throws if the limit has no key yet. */
export async function addPoints({ pool }: Shop, limit: string, count: number): Promise<void> {
  const { rowCount } = await pool.query(
    "update rate_limits set points = points + $1 where key like $2",
    [count, `${limit}:%`],
  );
  if (rowCount === 0) throw new Error(`Nothing has been counted for "${limit}" yet.`);
}

/**
 * Records the tasks in queues until the test ends. The returned function counts an owner's tasks
 * that ended while the task of another owner (`during`) waited and ran.
 */
export function recordTurns() {
  const order: string[] = [];
  const { run } = FairQueue.prototype;
  const recorder = vi.spyOn(FairQueue.prototype, "run");
  onTestFinished(() => recorder.mockRestore());
  recorder.mockImplementation(async function (this: FairQueue, owner, ...task) {
    order.push(`${owner} waits`);
    return await run.call(this, owner, ...task).finally(() => order.push(`${owner} ends`));
  });
  return (owner: string, { during }: { during: string }): number => {
    const start = order.indexOf(`${during} waits`);
    if (start === -1) throw new Error(`${during} was in no queue.`);
    const turn = order.slice(start, order.indexOf(`${during} ends`));
    return turn.filter((one) => one === `${owner} ends`).length;
  };
}
