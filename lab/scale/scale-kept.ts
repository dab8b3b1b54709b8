type Table = { name: string; rows: number; tableBytes: number; indexBytes: number };
type Inserted = { name: string; inserted: number; deleted: number; bytes: number };

/**
 * Tables whose rows a sale writes and the shop later deletes. Some rows are deleted after a fixed
 * time, from hours to two years. Others are deleted after a job has read them.
 */
const temporary = [
  "fair_price_changes",
  "graphile_worker._private_jobs",
  "job_outbox",
  "listing_flags",
  "member_traces",
  "overview_deltas",
  "public_changes",
  "webhook_events",
];

/**
 * The bytes that one sale leaves permanently: in total, in indexes, and per table, largest first.
 */
export function keptBySale(rows: Inserted[], tables: Table[]) {
  const kept = rows
    .filter(({ name }) => !temporary.includes(name))
    .map(({ name, inserted, deleted, bytes }) => {
      const table = tables.find((one) => one.name === name);
      const row = table
        ? {
            bytes: (table.tableBytes + table.indexBytes) / table.rows,
            index: table.indexBytes / table.rows,
          }
        : { bytes, index: 0 };
      const left = inserted - deleted;
      return { name, rows: left, bytes: left * row.bytes, index: left * row.index };
    })
    .toSorted((one, other) => other.bytes - one.bytes);
  const total = (of: "bytes" | "index") => kept.reduce((sum, one) => sum + one[of], 0);
  return { tables: kept, bytes: total("bytes"), indexBytes: total("index") };
}

/** The assumed memory and disk of one server in bytes, used as limits in the comparison. */
export const server = { memory: 256e9, disk: 16e12 };

/** The time until `limit` is reached at a constant daily rate. */
export function daysUntil(limit: number, now: number, each: number): string {
  if (now >= limit) return "at once";
  const days = Math.round((limit - now) / each);
  if (days > 3_650) return "over ten years";
  return days === 1 ? "1 day" : `${days.toLocaleString("en")} days`;
}
