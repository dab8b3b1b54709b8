import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { type EventSource, newEvent, newThinEvent } from "./new-objects.ts";
import type {
  Account,
  BalanceTransaction,
  Charge,
  DestinationPayment,
  Dispute,
  Event,
  EventDestination,
  EventObject,
  EventType,
  Intent,
  PaymentMethod,
  PaymentRefund,
  Payout,
  Refund,
  StoredFile,
  ThinEvent,
  Transfer,
  TransferReversal,
  WebhookEndpoint,
} from "./objects.ts";
import { deliveries, idempotencyKeys, schedules } from "./store-queues.ts";
import { sellerTables } from "./store-sellers.ts";

export type ObjectTypes = {
  payment_intent: Intent;
  payment_method: PaymentMethod;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  webhook_endpoint: WebhookEndpoint;
  event: Event;
  balance_transaction: BalanceTransaction;
  transfer: Transfer;
  transfer_reversal: TransferReversal;
  payout: Payout;
  file: StoredFile;
  "v2.core.account": Account;
  "v2.core.event_destination": EventDestination;
  "v2.core.event": ThinEvent;
};
export type StoredObject = ObjectTypes[keyof ObjectTypes] | DestinationPayment | PaymentRefund;

/** The `account` of the shop's own objects. */
export const ownAccount = "";

const comparedFields = [
  "payment_intent",
  "charge",
  "transfer_group",
  "transfer",
  "source_transaction",
] as const;

type ListFilter = {
  limit: number;
  after?: string | undefined;
  /** Inclusive, in Unix seconds. */
  from?: number | undefined;
  types?: string[] | undefined;
  /** By default, the shop's own account. */
  account?: string | undefined;
} & { [name in (typeof comparedFields)[number]]?: string | undefined };

const listQuery = `
  select body from objects
  where kind = :kind and account = :account and created >= :from
    and seq < coalesce((select seq from objects where id = :after), 9e15)
    ${comparedFields.map((name) => `and (:${name} is null or body ->> '${name}' = :${name})`).join("\n    ")}
    and (:types is null or body ->> 'type' in (select value from json_each(:types)))
  order by seq desc limit :limit
`;

const schema = `
  pragma journal_mode = wal;
  -- Commits survive a crash of the process. Waiting for the disk would block every request.
  pragma synchronous = normal;
  create table if not exists objects (
    seq integer primary key, id text not null unique, kind text not null,
    created integer not null, body text not null, account text not null default ''
  ) strict;
  create index if not exists objects_by_kind on objects (kind, seq);
  create index if not exists objects_by_account on objects (account, kind, seq) where account <> '';
  create table if not exists idempotency_keys (
    key text primary key, request text not null, status integer not null,
    body text not null, stored_at integer not null
  ) strict;
  create table if not exists deliveries (
    event text primary key references objects (id), attempts integer not null default 0,
    due_at integer not null
  ) strict;
  create table if not exists schedules (
    id text primary key references objects (id), due_at integer not null
  ) strict;
  create table if not exists banks (
    id text primary key, account text not null references objects (id), holder text not null,
    last4 text not null, failure text
  ) strict;
  create table if not exists onboarding_links (
    token text primary key, account text not null references objects (id), expires_at integer not null,
    return_url text not null, refresh_url text not null, used integer not null default 0
  ) strict;
  create table if not exists file_contents (
    file text primary key references objects (id), contents blob not null
  ) strict;
  create table if not exists settings (name text primary key, value integer not null) strict;
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
    ...schedules(db),
    ...sellerTables(db),
    ...fileContents(db),
    ...balances(db),
    ...transactions(db),
  };
}

const balancesQuery = `
  select body ->> 'currency' as currency,
    sum(iif(body ->> 'available_on' <= :now, body ->> 'net', 0)) as available,
    sum(iif(body ->> 'available_on' <= :now, 0, body ->> 'net')) as pending
  from objects where kind = 'balance_transaction' and account = :account group by 1
`;

function balances(db: DatabaseSync) {
  const totals = db.prepare(balancesQuery);
  return {
    /** `now` is in seconds since 1970. */
    balances: (now: number, account = ownAccount) =>
      totals.all({ now, account }).map(({ currency, available, pending }) => ({
        currency: String(currency),
        available: Number(available),
        pending: Number(pending),
      })),
  };
}

function transactions(db: DatabaseSync) {
  return {
    /** `work` must be synchronous. Rolls back if it throws. */
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
  const one = db.prepare(
    "select body from objects where kind = ? and id = ? and (? is null or account = ?)",
  );
  const any = db.prepare("select body from objects where id = ?");
  const owner = db.prepare("select account from objects where id = ?");
  const many = db.prepare(listQuery);
  const write = db.prepare(`
    insert into objects (id, kind, created, body, account) values (?, ?, ?, ?, ?)
    on conflict (id) do update set body = excluded.body`);
  const remove = db.prepare("delete from objects where id = ?");
  const enqueue = db.prepare("insert into deliveries (event, due_at) values (?, ?)");

  /** `account`: the account that owns a new object, by default the shop's own. */
  const put = (object: StoredObject, account = ownAccount) => {
    const { id, object: kind, created } = object;
    const seconds = typeof created === "string" ? Math.floor(Date.parse(created) / 1000) : created;
    write.run(id, kind, seconds, JSON.stringify(object), account);
  };
  const putEvent = (event: Event | ThinEvent, account = ownAccount) => {
    put(event, account);
    enqueue.run(event.id, Date.now());
  };
  return {
    /** Searches all accounts if `account` is undefined. */
    find<K extends keyof ObjectTypes>(kind: K, id: string, account?: string) {
      const row = one.get(kind, id, account ?? null, account ?? null);
      return parse<ObjectTypes[K]>(row);
    },
    findAny(id: string): StoredObject | undefined {
      return parse(any.get(id));
    },
    accountOf: (id: string) => String(owner.get(id)?.account ?? ownAccount),
    /** Newest first. */
    list<K extends keyof ObjectTypes>(kind: K, filter: ListFilter): ObjectTypes[K][] {
      const { limit, after = null, from = 0, account = ownAccount } = filter;
      const types = filter.types ? JSON.stringify(filter.types) : null;
      const compared = comparedFields.map((name) => [name, filter[name] ?? null]);
      const query = { kind, limit, after, from, account, types };
      const rows = many.all({ ...query, ...Object.fromEntries(compared) });
      return rows.flatMap((row) => parse<ObjectTypes[K]>(row) ?? []);
    },
    put,
    remove: (id: string) => void remove.run(id),
    /** Queues the event in the caller's transaction. `shown` is the object as the API sends it. */
    saveWithEvent(type: EventType, object: EventObject, shown: object = object): void {
      put(object);
      putEvent(newEvent(type, shown));
    },
    saveThinEvent(type: ThinEvent["type"], about: EventSource): void {
      putEvent(newThinEvent(type, about), about.account);
    },
  };
}

function parse<T extends StoredObject>(row: Record<string, SQLOutputValue> | undefined) {
  if (!row) return undefined;
  const object: T = JSON.parse(String(row.body));
  return object;
}

function fileContents(db: DatabaseSync) {
  const save = db.prepare("insert into file_contents (file, contents) values (?, ?)");
  const read = db.prepare("select contents from file_contents where file = ?");
  return {
    saveContents: (file: string, contents: Buffer) => void save.run(file, contents),
    contentsOf(file: string): Buffer | undefined {
      const contents = read.get(file)?.contents;
      return contents instanceof Uint8Array ? Buffer.from(contents) : undefined;
    },
  };
}
