import { sql } from "kysely";
import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";

const batchSize = 10_000;

/** Job `foldOverviewDeltas`, every minute: moves what was counted since into the summary (decision 0037). */
export async function foldOverviewDeltas({ db }: Pick<Deps, "db">): Promise<void> {
  for (let folded = batchSize; folded === batchSize; ) {
    folded = await transact(db, "foldOverviewDeltas", async (tx) => {
      const { rows } = await sql<{ folded: number }>`
        select fold_overview_deltas(${batchSize})::int as folded`.execute(tx);
      return rows[0]?.folded ?? 0;
    });
  }
}
