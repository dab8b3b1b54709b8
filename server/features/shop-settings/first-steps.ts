import type { Answer } from "#contract/call.ts";
import {
  type FirstStep,
  firstSteps,
  type readFirstSteps as readCall,
} from "#contract/first-steps.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

type Needed = Pick<Deps, "shop" | "config">;

export async function readFirstSteps(
  tx: Tx,
  deps: Needed & Pick<Deps, "checkProviders">,
): Promise<Answer<typeof readCall>> {
  const [done, problems] = await Promise.all([readDone(tx, deps), deps.checkProviders()]);
  const problemOf: Partial<Record<FirstStep, string | undefined>> = problems;
  return firstSteps.map((step) => ({
    step,
    isDone: done[step],
    problem: problemOf[step] ?? null,
  }));
}

/** Counts the steps that are not done yet, without calling the providers. */
export async function countFirstSteps(tx: Tx, deps: Needed): Promise<number> {
  return Object.values(await readDone(tx, deps)).filter((isDone) => !isDone).length;
}

async function readDone(tx: Tx, { shop, config }: Needed): Promise<Record<FirstStep, boolean>> {
  const { name, operator } = shop.get();
  const payment = await tx
    .selectFrom("payments")
    .select("id")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return {
    name: name !== defaultSettings.name,
    operator: operator.name !== "" && operator.email !== "",
    cards: config.stripe !== undefined,
    payouts: config.stripe !== undefined,
    mail: config.smtpUrl !== undefined,
    testPurchase: payment !== undefined,
  };
}
