import type { Shop } from "./shop.ts";

/** Adds `count` events to each key of the limit. Throws if the limit has no key yet. */
export async function addPoints({ pool }: Shop, limit: string, count: number): Promise<void> {
  const { rowCount } = await pool.query(
    "update rate_limits set points = points + $1 where key like $2",
    [count, `${limit}:%`],
  );
  if (rowCount === 0) throw new Error(`Nothing has been counted for "${limit}" yet.`);
}
