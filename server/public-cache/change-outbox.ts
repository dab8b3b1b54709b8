import type pg from "pg";
import type { WalPosition } from "../db/wal-positions.ts";

/**
 * How far changes have been read. `snapshot`: from the last read, in PostgreSQL's text format.
 * `readAt`: the time of that read. `wal`: a WAL position that includes all data in the snapshot.
 */
export type ChangePosition = { snapshot: string; readAt: number; wal: WalPosition };

type PublicChange = { tags: string[]; ageMs: number };

type Row = { snapshot: string; wal: WalPosition; changes: PublicChange[] };

/** Returns the current position. Earlier queries saw no changes after this position. */
export async function currentPosition(client: pg.Client): Promise<ChangePosition> {
  const { rows } = await client.query<{ snapshot: string; wal: WalPosition }>(
    "select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as wal",
  );
  const [{ snapshot, wal } = { snapshot: "", wal: "0/0" }] = rows;
  return { snapshot, wal, readAt: Date.now() };
}

/**
 * Reads the changes that became visible since the last read. Compares snapshots, because
 * transactions don't commit in the order of their ids. Each change is read exactly once.
 */
export async function readChangesSince(
  client: pg.Client,
  { snapshot }: ChangePosition,
): Promise<{ changes: PublicChange[]; position: ChangePosition }> {
  const { rows } = await client.query<Row>({
    name: "readPublicChanges",
    text: `
      select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as wal, coalesce((
        select json_agg(json_build_object(
          'tags', tags, 'ageMs', extract(epoch from clock_timestamp() - at) * 1000) order by at)
        from public_changes
        where xid >= pg_snapshot_xmin($1::pg_snapshot)
          and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
      ), '[]') as changes`,
    values: [snapshot],
  });
  const [read] = rows;
  if (!read) throw new Error("the outbox could not be read");
  return {
    changes: read.changes,
    position: { snapshot: read.snapshot, wal: read.wal, readAt: Date.now() },
  };
}
