import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { cardProvider } from "#server/testing/cards.ts";
import { checkInvariants } from "../invariants.ts";
import { choose, say } from "../run-options.ts";
import type { Outcome } from "./executor.ts";
import { type Setting, settings } from "./initial-states.ts";
import { cutOff, meet, openTheatre, type Theatre } from "./interleave.ts";
import { bringToRest, clear } from "./quiesce.ts";
import { isAsked, type Scene, type VerbName } from "./verbs.ts";

const pairs = choose(
  everywhere((place, { meet }) =>
    meet.flatMap((first) => meet.map((rival) => ({ place, first, rival }))),
  ),
  6,
);
const twins = choose(
  everywhere((place, { meet }) => meet.filter(isAsked).map((name) => ({ place, name }))),
  3,
);
// What the card fields do at the provider is not ours to mend.
const ours = (name: VerbName) => name !== "payByCard";
const cuts = choose(
  everywhere((place, { meet }) => meet.filter(ours).map((name) => ({ place, name }))),
  3,
);

const chosen = new Set([...pairs, ...twins, ...cuts].map(({ place }) => place));
const places = Object.keys(settings).filter((place) => chosen.has(place));

let theatre: Theatre;
let interleavings = 0;
beforeEach(async () => {
  theatre ??= await openTheatre();
});
afterAll(async () => {
  say(`${interleavings} interleavings of verbs ran.`);
  await theatre?.close();
});

describe.each(places)("over %s", (place) => {
  if (at(pairs, place).length > 0)
    test("two verbs in every order leave all in order", async () => {
      const broken = [];
      for (const { first, rival } of at(pairs, place)) {
        const play = async (scene: Scene, gap: number): Promise<Played> => {
          const met = await meet(theatre, scene, { first, rival, gap });
          const outcomes = [met.first, met.rival];
          const wrong = oneOfTwo(place, [first, rival], outcomes);
          return { outcomes, wrong, inGap: met.inGap };
        };
        broken.push(...(await everyGap(place, `${first} / ${rival}`, play)));
      }
      expect(broken).toEqual([]);
    });

  if (at(twins, place).length > 0)
    test("a request asked twice at once with one key gets one answer", async () => {
      const broken = [];
      for (const { name } of at(twins, place)) {
        const play = async (scene: Scene, gap: number): Promise<Played> => {
          const key = randomUUID();
          const met = await meet(theatre, scene, { first: name, rival: name, gap, key });
          const answers = [met.first, met.rival].map(({ answer }) => JSON.stringify(answer));
          const wrong = answers[0] === answers[1] ? [] : [`answered ${answers.join(" and ")}`];
          return { outcomes: [met.first, met.rival], wrong, inGap: met.inGap };
        };
        broken.push(...(await everyGap(place, `${name} twice`, play)));
      }
      expect(broken).toEqual([]);
    });

  if (at(cuts, place).length > 0)
    test("a verb that is cut off ends as if it had not been, once it is asked again", async () => {
      const broken = [];
      for (const { name } of at(cuts, place)) {
        const told: string[] = [];
        const play = async (scene: Scene, gap: number): Promise<Played> => {
          const { whole, again } = await cutOff(theatre, scene, { name, gap });
          told.push(again.told);
          const wrong = whole
            ? told
                .filter((one) => one !== whole.told)
                .map((one) => `told ${one} instead of ${whole.told}`)
            : [];
          return { outcomes: [again], wrong, inGap: !whole };
        };
        broken.push(...(await everyGap(place, `${name} cut off`, play)));
      }
      expect(broken).toEqual([]);
    });
});

function everywhere<T>(list: (place: string, setting: Setting) => T[]): T[] {
  return Object.entries(settings).flatMap(([place, setting]) => list(place, setting));
}

function at<T extends { place: string }>(all: T[], place: string): T[] {
  return all.filter((one) => one.place === place);
}

function oneOfTwo(place: string, names: [VerbName, VerbName], outcomes: Outcome[]): string[] {
  const rivals = settings[place]?.rivals ?? [];
  if (!rivals.some((pair) => pair.every((name) => names.includes(name)))) return [];
  const told = outcomes.map((outcome) => outcome.told);
  if (told.filter((one) => one === "yes").length === 1) return [];
  return [`both claim the same, and were told ${told.join(" and ")}`];
}

type Played = { outcomes: Outcome[]; wrong: string[]; inGap: boolean };
type Ran = { gap: number; scene: Scene; outcomes: Outcome[]; wrong: string[] };

/** Plays one scene for each gap in turn, then looks at what they have left. Answers what is broken. */
async function everyGap(
  place: string,
  label: string,
  play: (scene: Scene, gap: number) => Promise<Played>,
): Promise<string[]> {
  const { shop, rival } = theatre;
  const ran: Ran[] = [];
  for (let gap = 0, inGap = true; inGap; gap += 1) {
    const scene = await settings[place]?.prepare({ shop, stage: rival });
    if (!scene) throw new Error(`There is no ${place}.`);
    const played = await play(scene, gap);
    await bringToRest(shop.deps, scene);
    await clear(shop.deps, scene);
    ran.push({ gap, scene, ...played });
    inGap = played.inGap;
  }
  interleavings += ran.length;
  const broken = await inspect(ran);
  if (broken.length > 0) {
    await theatre.close();
    theatre = await openTheatre();
  }
  return broken.map((sentence) => `${label}, ${sentence}`);
}

async function inspect(ran: Ran[]): Promise<string[]> {
  const { pool, clock, sandbox } = theatre.shop;
  const ledger = await cardProvider(sandbox?.url ?? "").ledger();
  const done = ran.flatMap(({ outcomes }) => outcomes.flatMap((outcome) => outcome.done));
  const acknowledged = done.filter(({ verb }) => verb !== "");
  const sentences = await checkInvariants(pool, ledger, acknowledged, clock.now());
  const wrong = ran.flatMap(({ gap, outcomes, wrong: seen }) => {
    const told = outcomes.map((outcome) => outcome.told).filter((one) => one.startsWith("wrongly"));
    return [...seen, ...told].map((one) => `gap ${gap}: ${one}`);
  });
  return [...sentences, ...wrong, ...(await deadlocks(pool))];
}

/** Whether any two have locked the same rows in opposite orders (decision 0018). */
async function deadlocks(pool: pg.Pool): Promise<string[]> {
  const { rowCount } = await pool.query(
    "select from pg_stat_database where datname = current_database() and deadlocks > 0",
  );
  return rowCount === 0 ? [] : ["both waited for each other"];
}
