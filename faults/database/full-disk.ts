import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { openDatabase } from "#server/db/database.ts";
import { cardDesk } from "#server/testing/cards.ts";
import { effort, say } from "../effort.ts";
import { gather } from "../load/crowd.ts";
import { newJournal } from "../load/journal.ts";
import { findHome, startProgram } from "../load/program.ts";
import { atRest, count } from "../load/rest.ts";
import { openCluster } from "./cluster.ts";
import type { SmallDisk } from "./small-disk.ts";

/** Fills the disk of a database under load, and makes room again. */
export async function fillDisk(disk: SmallDisk): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-full-"));
  const cluster = await openCluster(disk.path);
  const home = await findHome(cluster.url, dataDir);
  const program = await startProgram(home);
  const database = openDatabase(`${cluster.url}?application_name=test`, { connections: 4 });
  const desk = cardDesk(`http://127.0.0.1:${home.sandboxPort}`);
  await desk.break({ webhook: { hold: true } });
  const journal = newJournal();
  const { seed } = effort();
  const crowd = await gather({ home, db: database.db, journal, seed, refunds: false }, 8);

  let pause = 0;
  await crowd.trade(async () => {
    await wait(300);
    await disk.fill();
    const until = Date.now() + 20_000;
    while (journal.unavailable === 0 && Date.now() < until) await wait(20);
    await wait(1_000);
    await disk.empty();
    const from = Date.now();
    await cluster.control("status").catch(() => cluster.start());
    while (journal.lastWrite < from) await wait(5);
    pause = journal.lastWrite - from;
  });
  const broken = await atRest({ pool: database.pool, desk, journal });
  await program.stop();
  await database.pool.end();
  await cluster.stop();
  await disk.remove();
  await rm(dataDir, { recursive: true });

  say(
    `The disk full under load: ${journal.holds} bookings, ${journal.payments} payments acknowledged, ${count(broken).lost} lost; ${journal.unavailable} askings were told to come again; serving again after ${pause} ms.`,
  );
  expect(broken).toEqual([]);
  expect(journal.unavailable).toBeGreaterThan(0);
  expect(journal.unreachable).toBe(0);
  expect(pause).toBeLessThan(5_000);
}
