import type { DatabaseSync } from "node:sqlite";
import { nowMs } from "./clock.ts";
import type { ApiResponse } from "./errors.ts";

export type Delivery = { event: string; body: string; attempts: number };

type StoredResponse = ApiResponse & { request: string };

const DAY = 24 * 60 * 60 * 1000;

export function idempotencyKeys(db: DatabaseSync) {
  const find = db.prepare("select * from idempotency_keys where key = ? and stored_at > ?");
  const save = db.prepare(
    "insert or replace into idempotency_keys (key, request, status, body, stored_at) values (?, ?, ?, ?, ?)",
  );
  return {
    /** Finds a stored response. It expires after a day, as at Stripe. */
    findResponse(key: string): StoredResponse | undefined {
      const row = find.get(key, nowMs() - DAY);
      if (!row) return undefined;
      const body: object = JSON.parse(String(row.body));
      return { request: String(row.request), status: Number(row.status), body };
    },
    saveResponse(key: string, request: string, { status, body }: ApiResponse): void {
      save.run(key, request, status, JSON.stringify(body), nowMs());
    },
  };
}

export function deliveries(db: DatabaseSync) {
  const due = db.prepare(`
    select event, attempts, body from deliveries join objects on id = event
    where due_at <= ? order by seq`);
  const next = db.prepare("select min(due_at) as due_at from deliveries");
  const postpone = db.prepare(
    "update deliveries set attempts = attempts + 1, due_at = ? where event = ?",
  );
  const remove = db.prepare("delete from deliveries where event = ?");
  const pending = db.prepare("select count(*) as pending from deliveries");
  return {
    /** Oldest first. `now` is in milliseconds since 1970. */
    dueDeliveries(now: number): Delivery[] {
      return due.all(now).map((row) => ({
        event: String(row.event),
        body: String(row.body),
        attempts: Number(row.attempts),
      }));
    },
    nextDelivery(): number | undefined {
      const at = next.get()?.due_at;
      return typeof at === "number" ? at : undefined;
    },
    pendingDeliveries: () => Number(pending.get()?.pending),
    postpone: (event: string, until: number) => void postpone.run(until, event),
    removeDelivery: (event: string) => void remove.run(event),
  };
}

/** Stores when refunds and payouts change next, in milliseconds since 1970. */
export function schedules(db: DatabaseSync) {
  const schedule = db.prepare("insert or replace into schedules (id, due_at) values (?, ?)");
  // A cross join, so that SQLite reads the few schedules first, not every object of the kind.
  const due = db.prepare(`
    select id from schedules cross join objects using (id)
    where kind = ? and due_at <= ? order by due_at`);
  const remove = db.prepare("delete from schedules where id = ?");
  return {
    schedule: (id: string, at: number) => void schedule.run(id, at),
    listDue: (kind: "refund" | "payout", now: number) =>
      due.all(kind, now).map((row) => String(row.id)),
    unschedule: (id: string) => void remove.run(id),
  };
}
