import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blockingStatements } from "./check-migrations.ts";

const folder = new URL("../server/db/migrations/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
const readme = readFileSync(new URL("README.md", folder), "utf8");
const examples = [...readme.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql);

const migrations = [
  ...files.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
  ...examples.map((sql, index) => [`example ${index + 1}`, sql]),
] as [string, string][];

test.each(migrations)(
  "%s doesn't block running nodes, and uses `concurrently` only outside a transaction",
  (_, sql) => {
    expect(blockingStatements(sql)).toEqual([]);
    expect(/\bconcurrently\b/.test(sql)).toBe(sql.startsWith("-- Outside a transaction"));
  },
);

test.each([
  "create index on products (price)",
  "create unique index on products (price)",
  "drop index products_price",
  "alter table products add column weight integer not null",
  "alter table products add column weight integer default random()",
  "alter table products add column id2 uuid default gen_random_uuid()",
  "alter table products add column weight integer references weights",
  "alter table products add column weight integer check (weight > 0)",
  "alter table products add column weight integer unique",
  "alter table products add column double integer generated always as (price * 2) stored",
  "alter table products add column n integer generated always as identity",
  "alter table products add constraint c check (price > 0)",
  "alter table products add foreign key (seller_id) references members",
  "alter table products add unique (price)",
  "alter table products add primary key (price)",
  "alter table products add constraint c check (price > 0) not valid; alter table products validate constraint c",
  "alter table products alter column price type bigint",
  "alter table products alter column price set not null",
  "alter table products drop column price",
  "alter table products rename column price to cost",
  "alter table products rename to laptops",
  "drop table products",
  "drop view deal_ledger",
  "update products set price = 0",
  "delete from products",
  "truncate products",
  "do $$ begin update products set price = 0; end $$",
  "lock table products",
  "cluster products using products_price",
  "vacuum full products",
  "reindex table products",
  "set local lock_timeout = '10s'",
  "create table weights (id integer); update products set price = 0",
])("%s is reported as blocking", (sql) => {
  expect(blockingStatements(sql)).toHaveLength(1);
});

test.each([
  "create index concurrently on products (price)",
  "drop index concurrently products_price",
  "alter table products add column weight integer",
  "alter table products add column weight integer not null default 0",
  "alter table products add column at timestamptz not null default now()",
  "alter table products add constraint c check (price > 0) not valid",
  "alter table products add foreign key (seller_id) references members not valid",
  "alter table products validate constraint c",
  "alter table products add constraint u unique using index i",
  "alter table products alter column price drop not null",
  "create table weights (id integer primary key); create index on weights (id); alter table weights add unique (id)",
  "create table weights (id integer); insert into weights values (1); update weights set id = 2",
  "drop trigger t on products; create trigger t after insert on products execute function f()",
  "create or replace function f() returns integer language sql as 'select 1'",
  "select 1; -- May block: at most ten rows.\nupdate admins set seen = true",
])("%s is not reported as blocking", (sql) => {
  expect(blockingStatements(sql)).toEqual([]);
});
