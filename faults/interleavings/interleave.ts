import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { cardsOf } from "#server/testing/cards.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import { createExecutor, type Executor, type Outcome } from "./executor.ts";
import { createGate, type Gate, type Steps, throughGate } from "./query-gate.ts";
import type { Scenario } from "./scenario.ts";
import { type VerbName, verbs } from "./verbs.ts";

/** Runs two verbs. The first stops at a gate while the rival runs. */
export type Interleaver = {
  shop: Shop;
  gate: Gate;
  first: Executor;
  rival: Executor;
  /** Whether the rival is waiting for a database lock. */
  isRivalWaiting(): Promise<boolean>;
  close(): Promise<void>;
};

export async function openInterleaver(env: Record<string, string> = {}): Promise<Interleaver> {
  const shop = await openShop({ sandbox: true, env });
  await cardsOf(shop).injectFaults({ webhook: { hold: true }, holdRefundOutcomes: true });
  const gate = createGate();
  const name = `rival ${randomUUID()}`;
  const rivals = openTestDatabase(`${shop.databaseUrl}?application_name=${name}`, 10);
  const waiting =
    "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";
  return {
    shop,
    gate,
    first: await createExecutor(throughGate(shop.deps, shop.pool, gate)),
    rival: await createExecutor({ ...shop.deps, db: rivals.db }),
    isRivalWaiting: async () => (await shop.pool.query(waiting, [name])).rowCount !== 0,
    async close() {
      await rivals.pool.end();
      await shop.close();
    },
  };
}

export type Interleaving = { first: VerbName; rival: VerbName; step: number; key?: string };

export type InterleavedOutcomes = { first: Outcome; rival: Outcome; reached: boolean };

/**
 * Pauses `first` before `step` until the rival ends or waits for a lock. If `first` ends before
 * `step`, the rival runs afterward.
 */
export async function interleave(
  interleaver: Interleaver,
  scenario: Scenario,
  interleaving: Interleaving,
): Promise<InterleavedOutcomes> {
  const { gate } = interleaver;
  const enter = () =>
    verbs[interleaving.rival](interleaver.rival.withKey(interleaving.key), scenario);
  let entered: Promise<Outcome> | undefined;
  gate.before(interleaving.step, async () => {
    entered = enter();
    await untilDoneOrBlocked(interleaver, entered);
  });
  const first = await verbs[interleaving.first](
    interleaver.first.withKey(interleaving.key),
    scenario,
  );
  return { first, rival: await (entered ?? enter()), reached: gate.met() };
}

async function untilDoneOrBlocked(
  interleaver: Interleaver,
  running: Promise<unknown>,
): Promise<void> {
  let ended = false;
  const end = running.finally(() => {
    ended = true;
  });
  while (!ended) {
    await Promise.race([end, wait(4)]);
    if (!ended && (await interleaver.isRivalWaiting())) return;
  }
}

/**
 * Makes a verb fail before `step`, as a crash would. Then repeats the verb with the same key.
 * `whole`: the first outcome, if the verb ended before `step`.
 */
export async function interrupt(
  interleaver: Interleaver,
  scenario: Scenario,
  { name, step, steps }: { name: VerbName; step: number; steps: Steps },
): Promise<{ whole: Outcome | undefined; again: Outcome }> {
  const { gate } = interleaver;
  const key = randomUUID();
  const kill = async () => {
    throw new Error("killed on purpose");
  };
  gate.before(step, kill, steps);
  const first = await verbs[name](interleaver.first.withKey(key), scenario);
  const again = await verbs[name](interleaver.rival.withKey(key), scenario);
  return { whole: gate.met() ? undefined : first, again };
}
