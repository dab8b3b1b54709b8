import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { violationsIn } from "../invariants.ts";
import { logResult, runOptions, sample } from "../run-options.ts";
import type { Outcome } from "./executor.ts";
import { cancelHolds, finishPendingWork } from "./finish-pending-work.ts";
import { initialStates } from "./initial-states.ts";
import { type Interleaver, interleave, interrupt, openInterleaver } from "./interleave.ts";
import type { InitialState } from "./prepare-states.ts";
import type { Scenario } from "./scenario.ts";
import { isHttpRequest, isOurs, type VerbName } from "./verbs.ts";

const { long } = runOptions();
// `npm test` runs a few pairs in which only one verb may succeed.
const pairs = sample(
  perState((place, { verbs, rivals = [] }) => {
    const named: [VerbName, VerbName][] = long
      ? verbs.flatMap((first) => verbs.map((rival): [VerbName, VerbName] => [first, rival]))
      : rivals;
    return named.map(([first, rival]) => ({ place, first, rival }));
  }),
  2,
);
const duplicates = sample(
  perState((place, { verbs }) => verbs.filter(isHttpRequest).map((name) => ({ place, name }))),
  1,
);
// Skips the provider's verbs, because a crash inside the provider is not our concern.
const interruptions = perState((place, { verbs, interrupted = [] }) =>
  (long ? verbs.filter(isOurs) : interrupted).map((name) => ({ place, name })),
);

const chosen = new Set([...pairs, ...duplicates, ...interruptions].map(({ place }) => place));
const places = Object.keys(initialStates).filter((place) => chosen.has(place));

const steps = long ? "all" : "boundaries";
/** In `npm test`, a second verb starts only before every other step of the first. */
const stride = long ? 1 : 2;

let interleaver: Interleaver;
let interleavings = 0;
/** The invariant check reads the whole shop, so a large shop makes each check slow. */
const maxInOneShop = 100;
let inThisShop = 0;
beforeEach(async () => {
  interleaver ??= await openInterleaver();
});
afterAll(async () => {
  logResult(`${interleavings} interleavings of verbs ran.`);
  await interleaver?.close();
});

describe.each(places)("with %s", (place) => {
  if (at(pairs, place).length > 0)
    test("no interleaving of two verbs breaks an invariant", async () => {
      const broken = [];
      for (const { first, rival } of at(pairs, place)) {
        const play = async (scenario: Scenario, step: number): Promise<Played> => {
          const met = await interleave(interleaver, scenario, { first, rival, step });
          const outcomes = [met.first, met.rival];
          const wrong = oneOfTwo(place, [first, rival], outcomes);
          return { outcomes, wrong, reached: met.reached };
        };
        broken.push(...(await everyStep({ place, label: `${first} / ${rival}`, stride }, play)));
      }
      expect(broken).toEqual([]);
    });

  if (at(duplicates, place).length > 0)
    test("two concurrent requests with one Idempotency-Key get the same response", async () => {
      const broken = [];
      for (const { name } of at(duplicates, place)) {
        const play = async (scenario: Scenario, step: number): Promise<Played> => {
          const key = randomUUID();
          const met = await interleave(interleaver, scenario, {
            first: name,
            rival: name,
            step,
            key,
          });
          const answers = [met.first, met.rival].map(({ answer }) => JSON.stringify(answer));
          const wrong = answers[0] === answers[1] ? [] : [`answered ${answers.join(" and ")}`];
          return { outcomes: [met.first, met.rival], wrong, reached: met.reached };
        };
        broken.push(...(await everyStep({ place, label: `${name} twice`, stride }, play)));
      }
      expect(broken).toEqual([]);
    });

  if (at(interruptions, place).length > 0)
    test("a verb that fails at any step and is retried with the same key gets the same result as an uninterrupted run", async () => {
      const broken = [];
      for (const { name } of at(interruptions, place)) {
        const result: string[] = [];
        const play = async (scenario: Scenario, step: number): Promise<Played> => {
          const { whole, again } = await interrupt(interleaver, scenario, { name, step, steps });
          result.push(again.result);
          const wrong = whole
            ? result
                .filter((one) => one !== whole.result)
                .map((one) => `result ${one} instead of ${whole.result}`)
            : [];
          return { outcomes: [again], wrong, reached: !whole };
        };
        broken.push(...(await everyStep({ place, label: `${name} cut off` }, play)));
      }
      expect(broken).toEqual([]);
    });
});

function perState<T>(list: (place: string, setting: InitialState) => T[]): T[] {
  return Object.entries(initialStates)
    .filter(([, { onlyInLongRun = false }]) => long || !onlyInLongRun)
    .flatMap(([place, initialState]) => list(place, initialState));
}

function at<T extends { place: string }>(all: T[], place: string): T[] {
  return all.filter((one) => one.place === place);
}

function oneOfTwo(place: string, names: [VerbName, VerbName], outcomes: Outcome[]): string[] {
  const rivals = initialStates[place]?.rivals ?? [];
  if (!rivals.some((pair) => pair.every((name) => names.includes(name)))) return [];
  const result = outcomes.map((outcome) => outcome.result);
  if (result.filter((one) => one === "ok").length === 1) return [];
  return [`both claim the same, with results ${result.join(" and ")}`];
}

type Played = { outcomes: Outcome[]; wrong: string[]; reached: boolean };
type Ran = { step: number; scenario: Scenario; outcomes: Outcome[]; wrong: string[] };

/** Calls `play` once for each step of the first verb, or for every `stride`-th step. */
async function everyStep(
  { place, label, stride = 1 }: { place: string; label: string; stride?: number },
  play: (scenario: Scenario, step: number) => Promise<Played>,
): Promise<string[]> {
  const { shop, rival } = interleaver;
  const ran: Ran[] = [];
  for (let step = 0, reached = true; reached; step += stride) {
    const scenario = await initialStates[place]?.prepare({ shop, executor: rival });
    if (!scenario) throw new Error(`There is no ${place}.`);
    const played = await play(scenario, step);
    await finishPendingWork(shop.deps, scenario);
    await cancelHolds(shop.deps, scenario);
    ran.push({ step, scenario, ...played });
    reached = played.reached;
  }
  interleavings += ran.length;
  inThisShop += ran.length;
  const broken = await inspect(ran);
  if (broken.length > 0 || inThisShop > maxInOneShop) {
    await interleaver.close();
    interleaver = await openInterleaver();
    inThisShop = 0;
  }
  return broken.map((sentence) => `${label}, ${sentence}`);
}

async function inspect(ran: Ran[]): Promise<string[]> {
  const acknowledged = ran.flatMap(({ outcomes }) => outcomes.flatMap(({ done }) => done));
  const sentences = await violationsIn(interleaver.shop, acknowledged);
  const wrong = ran.flatMap(({ step, outcomes, wrong: seen }) => {
    const result = outcomes
      .map((outcome) => outcome.result)
      .filter((one) => one.startsWith("unexpected"));
    return [...seen, ...result].map((one) => `step ${step}: ${one}`);
  });
  return [...sentences, ...wrong, ...(await deadlocks(interleaver.shop.pool))];
}

async function deadlocks(pool: pg.Pool): Promise<string[]> {
  const { rowCount } = await pool.query(
    "select from pg_stat_database where datname = current_database() and deadlocks > 0",
  );
  return rowCount === 0 ? [] : ["both waited for each other"];
}
