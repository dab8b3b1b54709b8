import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "#server/db/database.ts";
import { cardProvider } from "#server/testing/cards.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { type Outcome, openStage, type Stage } from "./executor.ts";
import { createGate, type Gate, throughGate } from "./query-gate.ts";
import { type Scene, type VerbName, verbs } from "./verbs.ts";

/** A shop in which two verbs meet: the first is stopped at its gate while the rival runs. */
export type Theatre = {
  shop: Shop;
  gate: Gate;
  first: Stage;
  rival: Stage;
  /** Whether the rival waits for a lock, which only the first can let go of. */
  isRivalWaiting(): Promise<boolean>;
  close(): Promise<void>;
};

export async function openTheatre(env: Record<string, string> = {}): Promise<Theatre> {
  const shop = await openShop({ sandbox: true, env });
  await cardProvider(shop.sandbox?.url ?? "").injectFaults({ webhook: { hold: true } });
  const gate = createGate();
  const name = `rival ${randomUUID()}`;
  const rivals = openDatabase(`${shop.databaseUrl}?application_name=${name}`);
  const waiting =
    "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";
  return {
    shop,
    gate,
    first: await openStage(throughGate(shop.deps, shop.pool, gate)),
    rival: await openStage({ ...shop.deps, db: rivals.db }),
    isRivalWaiting: async () => (await shop.pool.query(waiting, [name])).rowCount !== 0,
    async close() {
      await rivals.pool.end();
      await shop.close();
    },
  };
}

export type Meeting = { first: VerbName; rival: VerbName; gap: number; key?: string };

/** What each was told, and whether the first had such a gap; where not, the rival came after its end. */
export type Met = { first: Outcome; rival: Outcome; inGap: boolean };

/**
 * Runs `first` up to its step number `gap`, there the rival until it ends or waits for a lock, then the
 * rest of the first.
 */
export async function meet(theatre: Theatre, scene: Scene, meeting: Meeting): Promise<Met> {
  const { gate } = theatre;
  const enter = () => verbs[meeting.rival](theatre.rival, scene, meeting.key);
  let entered: Promise<Outcome> | undefined;
  gate.before(meeting.gap, async () => {
    entered = enter();
    await endOrWait(theatre, entered);
  });
  const first = await verbs[meeting.first](theatre.first, scene, meeting.key);
  return { first, rival: await (entered ?? enter()), inGap: gate.met() };
}

async function endOrWait(theatre: Theatre, running: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = running.finally(() => {
    ended = true;
  });
  while (!ended) {
    await Promise.race([end, wait(4)]);
    if (!ended && (await theatre.isRivalWaiting())) return;
  }
}

/** Cuts a verb off right before its step number `gap`, as a crash does, and asks again with the same key. */
export async function cutOff(
  theatre: Theatre,
  scene: Scene,
  { name, gap }: { name: VerbName; gap: number },
): Promise<{ whole: Outcome | undefined; again: Outcome }> {
  const { gate } = theatre;
  const key = randomUUID();
  gate.before(gap, async () => {
    throw new Error("killed on purpose");
  });
  const first = await verbs[name](theatre.first, scene, key);
  const again = await verbs[name](theatre.rival, scene, key);
  return { whole: gate.met() ? undefined : first, again };
}
