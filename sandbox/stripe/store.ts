import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { ApiResponse } from "./errors.ts";
import { newEvent } from "./new-objects.ts";
import type {
  BalanceTransaction,
  Charge,
  Dispute,
  Event,
  EventObject,
  EventType,
  Intent,
  PaymentMethod,
  Refund,
  WebhookEndpoint,
} from "./objects.ts";

export type ObjectTypes = {
  payment_intent: Intent;
  payment_method: PaymentMethod;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  webhook_endpoint: WebhookEndpoint;
  event: Event;
  balance_transaction: BalanceTransaction;
};
export type StoredObject = ObjectTypes[keyof ObjectTypes];

/** `from` and `to` are Unix seconds, inclusive. */
export type ListFilter = {
  limit: number;
  after?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  payment_intent?: string | undefined;
  charge?: string | undefined;
  type?: string | undefined;
  types?: string[] | undefined;
};

export type Delivery = { event: string; body: string; attempts: number };

export type StoredResponse = ApiResponse & { request: string };

const DAY = 24 * 60 * 60 * 1000;

const schema = `
  pragma journal_mode = wal;
  -- Survives a crash of the process. Waiting for the disk at each commit would block every request.
  pragma synchronous = normal;
  create table if not exists objects (
    seq integer primary key, id text not null unique, kind text not null,
    created integer not null, body text not null
  ) strict;
  create index if not exists objects_by_kind on objects (kind, seq);
  create table if not exists idempotency_keys (
    key text primary key, request text not null, status integer not null,
    body text not null, stored_at integer not null
  ) strict;
  create table if not exists deliveries (
    event text primary key references objects (id), attempts integer not null default 0,
    due_at integer not null
  ) strict;
  create table if not exists refund_outcomes (
    refund text primary key references objects (id), due_at integer not null
  ) strict;
`;

const listQuery = `
  select body from objects
  where kind = :kind and created between :from and :to
    and seq < coalesce((select seq from objects where id = :after), 9e15)
    and (:payment_intent is null or body ->> 'payment_intent' = :payment_intent)
    and (:charge is null or body ->> 'charge' = :charge)
    and (:type is null or body ->> 'type' = :type)
    and (:types is null or body ->> 'type' in (select value from json_each(:types)))
  order by seq desc limit :limit
`;

export type Store = ReturnType<typeof openStore>;

export function openStore(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec(schema);
  return {
    ...objects(db),
    ...idempotencyKeys(db),
    ...deliveries(db),
    ...refundOutcomes(db),
    ...balances(db),
    ...transactions(db),
  };
}

const balancesQuery = `
  select body ->> 'currency' as currency,
    sum(iif(body ->> 'available_on' <= :now, body ->> 'net', 0)) as available,
    sum(iif(body ->> 'available_on' <= :now, 0, body ->> 'net')) as pending
  from objects where kind = 'balance_transaction' group by 1
`;

function balances(db: DatabaseSync) {
  const totals = db.prepare(balancesQuery);
  return {
    /** The account's balance in each currency; `now` is in seconds since 1970. */
    balances: (now: number) =>
      totals.all({ now }).map(({ currency, available, pending }) => ({
        currency: String(currency),
        available: Number(available),
        pending: Number(pending),
      })),
  };
}

function transactions(db: DatabaseSync) {
  return {
    /** Runs synchronous `work` in a transaction and rolls back if it throws. */
    transaction<T>(work: () => T): T {
      db.exec("begin immediate");
      try {
        const result = work();
        db.exec("commit");
        return result;
      } catch (error) {
        db.exec("rollback");
        throw error;
      }
    },
    close: () => db.close(),
  };
}

function objects(db: DatabaseSync) {
  const one = db.prepare("select body from objects where kind = ? and id = ?");
  const any = db.prepare("select body from objects where id = ?");
  const many = db.prepare(listQuery);
  const write = db.prepare(`
    insert into objects (id, kind, created, body) values (?, ?, ?, ?)
    on conflict (id) do update set body = excluded.body`);
  const remove = db.prepare("delete from objects where id = ?");
  const enqueue = db.prepare("insert into deliveries (event, due_at) values (?, ?)");

  const put = (object: StoredObject) => {
    write.run(object.id, object.object, object.created, JSON.stringify(object));
  };
  return {
    find<K extends keyof ObjectTypes>(kind: K, id: string): ObjectTypes[K] | undefined {
      return parse(one.get(kind, id));
    },
    findAny(id: string): StoredObject | undefined {
      return parse(any.get(id));
    },
    /** Newest first. */
    list<K extends keyof ObjectTypes>(kind: K, filter: ListFilter): ObjectTypes[K][] {
      const { limit, after = null, from = 0, to = 9e15, type = null } = filter;
      const { payment_intent = null, charge = null } = filter;
      const types = filter.types ? JSON.stringify(filter.types) : null;
      const query = { kind, limit, after, from, to, type, types, payment_intent, charge };
      return many.all(query).flatMap((row) => parse<ObjectTypes[K]>(row) ?? []);
    },
    put,
    remove: (id: string) => void remove.run(id),
    /** Saves the object and queues its webhook event, in the caller's transaction. */
    saveWithEvent(type: EventType, object: EventObject): void {
      put(object);
      const event = newEvent(type, object);
      put(event);
      enqueue.run(event.id, Date.now());
    },
  };
}

function idempotencyKeys(db: DatabaseSync) {
  const find = db.prepare("select * from idempotency_keys where key = ? and stored_at > ?");
  const save = db.prepare(
    "insert or replace into idempotency_keys (key, request, status, body, stored_at) values (?, ?, ?, ?, ?)",
  );
  return {
    /** Stored responses expire after a day, as at Stripe. */
    findResponse(key: string): StoredResponse | undefined {
      const row = find.get(key, Date.now() - DAY);
      if (!row) return undefined;
      const body: object = JSON.parse(String(row.body));
      return { request: String(row.request), status: Number(row.status), body };
    },
    saveResponse(key: string, request: string, { status, body }: ApiResponse): void {
      save.run(key, request, status, JSON.stringify(body), Date.now());
    },
  };
}

function deliveries(db: DatabaseSync) {
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
    /** Oldest first; `now` is in milliseconds since 1970. */
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

/** The refunds whose bank has yet to answer. */
function refundOutcomes(db: DatabaseSync) {
  const schedule = db.prepare("insert into refund_outcomes (refund, due_at) values (?, ?)");
  const due = db.prepare("select refund from refund_outcomes where due_at <= ?");
  const remove = db.prepare("delete from refund_outcomes where refund = ?");
  return {
    scheduleOutcome: (refund: string, at: number) => void schedule.run(refund, at),
    /** `now` is in milliseconds since 1970. */
    dueOutcomes: (now: number) => due.all(now).map((row) => String(row.refund)),
    removeOutcome: (refund: string) => void remove.run(refund),
  };
}

function parse<T extends StoredObject>(row: Record<string, SQLOutputValue> | undefined) {
  if (!row) return undefined;
  const object: T = JSON.parse(String(row.body));
  return object;
}
