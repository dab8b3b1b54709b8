import { readFileSync } from "node:fs";
import type pg from "pg";

const query = readFileSync(new URL("./overview-differences.sql", import.meta.url), "utf8");

/** One sentence for each overview figure that differs from a count of all rows. */
export async function overviewDifferences(database: Pick<pg.Pool, "query">): Promise<string[]> {
  const { rows } = await database.query<{ sentence: string }>(query);
  return rows.map(({ sentence }) => sentence);
}
