import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { CardProvider } from "#server/testing/cards.ts";
import { checkInvariants } from "../invariants.ts";
import type { CallLog } from "./acknowledged-calls.ts";
import { hurrySettlements } from "./settle-load.ts";

type Observed = { pool: pg.Pool; desk: CardProvider; log: CallLog };

/** Violations are final if they stay the same for this many rounds without other pending jobs. */
const maxQuietRounds = 5;

/** Returns the violations once they are final, and unexpected responses. Has no time limit. */
export async function violationsWhenIdle({ pool, desk, log }: Observed): Promise<string[]> {
  const start = Date.now();
  let [lastJob, quietRounds, before] = [await hurryJobs(pool), 0, ""];
  for (let logAt = start + 60_000; ; await wait(Date.now() - start < 5_000 ? 200 : 1_000)) {
    const { ofRound, others } = await countPendingJobs(pool, lastJob);
    const broken = await checkInvariants(pool, await desk.ledger(), log.acknowledged);
    if (broken.length === 0) return log.wrong;
    if (Date.now() > logAt) {
      console.log(`Still waiting for ${ofRound + others} jobs: ${broken[0]}`);
      logAt += 60_000;
    }
    if (ofRound > 0) continue;
    const isQuiet = others === 0 && broken.join() === before;
    quietRounds = isQuiet ? quietRounds + 1 : 0;
    if (quietRounds === maxQuietRounds) return [...broken, ...log.wrong];
    before = broken.join();
    lastJob = await hurryJobs(pool);
  }
}

/** Jobs that finish pending work. `reconcile` also handles events whose webhooks are missing. */
const finishing = ["settleDeals", "rewardInvitations", "reconcile"];

/** Starts a round of the `finishing` jobs. Returns the id of the last job before the round. */
async function hurryJobs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    "select coalesce(max(id), 0)::int as id from graphile_worker.jobs",
  );
  await hurrySettlements(pool);
  await pool.query("insert into job_outbox (task, payload) values ('reconcile', '{}')");
  return rows[0]?.id ?? 0;
}

/** Call only while no server runs. `freeLostJobs` would unlock the jobs later. */
export async function unlockJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs where locked_by is not null))`);
}

/** Counts jobs that run, are due or will be retried. `ofRound`: `finishing` jobs of this round. */
async function countPendingJobs(pool: pg.Pool, lastJob: number) {
  const { rows } = await pool.query<{ ofRound: number; others: number }>(
    `select count(*) filter (where is_of_round)::int as "ofRound",
      count(*) filter (where not is_of_round)::int as others
    from (
      select task = any($1) as is_of_round from job_outbox where run_at <= now()
      union all
      select task_identifier = any($1) and id > $2 from graphile_worker.jobs
      where locked_at is not null
        or attempts < max_attempts and (attempts > 0 or run_at <= now())) as pending`,
    [finishing, lastJob],
  );
  return rows[0] ?? { ofRound: 0, others: 0 };
}

export function countViolations(broken: string[]) {
  const of = (pattern: RegExp) => broken.filter((sentence) => pattern.test(sentence)).length;
  return {
    lost: of(/^Somebody was told/),
    doubled: of(/live bookings|charged [2-9]\d* times|recorded [2-9]\d* times/),
    charged: of(
      /recorded 0 times|way back|were given back|payments kept|were kept|Refund .+ nowhere/,
    ),
  };
}
