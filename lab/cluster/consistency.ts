import { countViolations, violationsWhenIdle } from "../../faults/load/quiesce.ts";
import { countSettlements } from "../../faults/load/settle-load.ts";
import type { Checks } from "./checks.ts";
import { lostSaves } from "./clients.ts";
import type { Load } from "./load.ts";
import { isFailed, isRefused, tooFew } from "./requests.ts";

/** Minimum counts per minute of load. Smaller counts would prove nothing. */
const minPerMinute = { writes: 60, ownReads: 60, payments: 2, refunds: 0.2, disputes: 0.2 };

/** Once no work is pending, compares acknowledged writes, the database and the card provider. */
export async function checkConsistency(
  load: Load,
  { checks, minutes }: { checks: Checks; minutes: number },
): Promise<void> {
  checks.step("comparing what was acknowledged, the database and the card provider");
  const from = performance.now();
  const broken = await violationsWhenIdle(load);
  checks.say(`consistent ${Math.round((performance.now() - from) / 1_000)} s after the load`);
  const { lost, doubled, charged } = countViolations(broken);
  const lostOnes = await lostSaves(load);
  const { log, saves, ownReads, pool } = load;
  const writes = saves.length + log.acknowledged.length;
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
  checks.say(await countSettlements(pool));
  checkCounts(load, { checks, minutes });
}

/** Expects enough of each kind of request, with usable responses or a 503 with Retry-After. */
function checkCounts(
  { log, saves, ownReads, requests: { attempts } }: Load,
  { checks, minutes }: { checks: Checks; minutes: number },
): void {
  const failed = attempts.filter(isFailed);
  const others = failed.filter((attempt) => !isRefused(attempt));
  checks.expect(
    others.length === 0,
    `${attempts.length} requests, ${failed.length} failed, ${failed.length - others.length} of them 503 with Retry-After`,
    others,
  );
  const few = tooFew(attempts, minutes);
  checks.expect(few.length === 0, `kinds of requests with too few answers: ${few.length}`, few);
  const { acknowledged, payments, refunds, disputes } = log;
  const writes = saves.length + acknowledged.length;
  const counts = { writes, ownReads: ownReads.count, payments, refunds, disputes };
  for (const [what, perMinute] of Object.entries(minPerMinute)) {
    const count = counts[what as keyof typeof counts];
    const min = Math.ceil(perMinute * minutes);
    checks.expect(count >= min, `${what}: ${count}, at least ${min}`);
  }
}
