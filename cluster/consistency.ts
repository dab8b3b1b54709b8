import { countViolations, violationsWhenIdle } from "../faults/load/quiesce.ts";
import { countSettlements } from "../faults/load/settle-load.ts";
import type { Checks } from "./checks.ts";
import type { Load } from "./load.ts";
import { isFailed, isRefused } from "./requests.ts";
import { lostSaves } from "./saved-laptops.ts";

/** The card provider repeats an event after five minutes, if it was refused often enough. */
const mostIdleMs = 360_000;

/** Waits until no work is pending, and compares what the clients were told, the database and the card provider. */
export async function checkConsistency(load: Load, checks: Checks): Promise<void> {
  const { journal, saves, ownReads, requests, pool } = load;
  checks.step("comparing what was acknowledged, the database and the card provider");
  const from = performance.now();
  const broken = await violationsWhenIdle(load, mostIdleMs);
  checks.say(`consistent ${Math.round((performance.now() - from) / 1_000)} s after the load`);
  const { lost, doubled, charged } = countViolations(broken);
  const lostOnes = await lostSaves(load);
  const writes = saves.length + journal.acknowledged.length;
  checks.expect(
    lost + lostOnes.length === 0,
    `acknowledged writes lost: ${lost + lostOnes.length} of ${writes}`,
    lostOnes,
  );
  checks.expect(doubled === 0, `sold or charged twice: ${doubled}`);
  checks.expect(charged === 0, `charged without goods or refund: ${charged}`);
  checks.expect(
    broken.length === 0,
    `broken invariants and wrong answers: ${broken.length}`,
    broken,
  );
  checks.expect(
    ownReads.stale.length === 0,
    `stale own reads: ${ownReads.stale.length} of ${ownReads.count}`,
    ownReads.stale,
  );
  const { holds, payments, refunds, disputes } = journal;
  checks.say(
    `${holds} holds, ${payments} payments, ${refunds} refunds, ${disputes} disputes; ${await countSettlements(pool)}`,
  );
  const failed = requests.attempts.filter(isFailed);
  const refused = failed.filter(isRefused).length;
  checks.say(
    `${requests.attempts.length} requests, ${failed.length} failed, ${refused} of them 503 with Retry-After`,
  );
  const others = failed.filter((attempt) => !isRefused(attempt));
  for (const { kind, status, code } of others.slice(0, 10))
    checks.say(`${kind}: ${status} ${code}`);
}
