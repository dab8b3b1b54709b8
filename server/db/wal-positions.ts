import { sql } from "kysely";
import type { Tx } from "./database.ts";

/** A position in PostgreSQL's write-ahead log (WAL), such as `16/B374D848`. */
export type WalPosition = string;

export function toBytes(position: WalPosition): bigint {
  const [high = "", low = ""] = position.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Reads the timeline in a WAL file's name. Each promotion of a replica starts a new timeline. */
export function timelineOf(file: string): number {
  return Number.parseInt(file.slice(0, 8), 16);
}

/** SQL: the server's start in seconds since 1970, which differs between copies of a server. */
export const serverStart = sql<string>`extract(epoch from pg_postmaster_start_time())::text`;

/** Enough for ten seconds at four samples a second. */
const maxSamples = 40;

type Sample = { bytes: bigint; at: number };

/** The primary's latest positions, to measure a replica's lag in time. */
export class WalHistory {
  #samples: Sample[] = [];

  /** `at`: the `performance.now()` just before the primary's position was queried. */
  add(bytes: bigint, at: number): void {
    // After a failover that lost writes, the new primary's position is behind the old primary's.
    if (bytes < (this.#samples.at(-1)?.bytes ?? 0n)) this.#samples = [];
    this.#samples = [...this.#samples, { bytes, at }].slice(-maxSamples);
  }

  /** Milliseconds since the primary passed this position; 0 if it has not. */
  lagOf(bytes: bigint, now = performance.now()): number {
    const passed = this.#samples.find((sample) => sample.bytes > bytes);
    return passed ? now - passed.at : 0;
  }
}

/**
 * Keeps replicas that have not replayed the member's write from serving the member. Call it after
 * the commit and before acknowledging the write (decisions/pooler-and-replicas).
 */
export async function recordWritePosition(tx: Tx, memberId: string): Promise<void> {
  await sql`
    insert into write_positions as known (member_id, position, at)
    values (${memberId}, pg_current_wal_insert_lsn(), now())
    on conflict (member_id) do update
    set position = greatest(known.position, excluded.position), at = excluded.at`.execute(tx);
}
