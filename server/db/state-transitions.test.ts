import { randomUUID } from "node:crypto";
import type pg from "pg";
import { DatabaseError } from "pg";
import { expect } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import {
  approval,
  bookingStates,
  bookingTransitions,
  hold,
  invitationStates,
  invitationTransitions,
  listingStatuses,
  meetingStates,
  meetingTransitions,
  moveStates,
  moveTransitions,
  offerStates,
  offerTransitions,
  payoutStates,
  payoutTransitions,
} from "#contract/life-cycle.ts";
import { shopTest } from "../testing/fixtures.ts";
import { listing } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import type { Shop } from "../testing/shop.ts";

const test = shopTest();

const moves = Object.values(bookingTransitions);
const allowed = new Set([
  `products ${approval.from} ${approval.to}`,
  ...[hold, ...moves].flatMap(({ product: { from, to } }) =>
    from === to ? [] : [`products ${from} ${to}`],
  ),
  ...changesOf("bookings", bookingTransitions),
  ...changesOf("meetings", meetingTransitions),
  ...changesOf("money_moves", moveTransitions),
  ...changesOf("payouts", payoutTransitions),
  ...changesOf("invitations", invitationTransitions),
  ...changesOf("offers", offerTransitions),
]);

type Transitions = Record<string, { from: string | readonly string[]; to: string }>;

function changesOf(table: string, transitions: Transitions): string[] {
  return Object.values(transitions).flatMap(({ from, to }) =>
    [from].flat().map((state) => `${table} ${state} ${to}`),
  );
}

test("the database accepts exactly the contract's state changes", async ({ shop }) => {
  await makeOneOfEach(shop);
  const client = await shop.pool.connect();
  const written: string[] = [];
  try {
    for (const [of, column, states] of [
      ["products", "sales_status", listingStatuses],
      ["bookings", "state", bookingStates],
      ["offers", "state", offerStates],
      ["meetings", "state", meetingStates],
      ["payouts", "state", payoutStates],
      ["money_moves", "state", moveStates],
      ["invitations", "state", invitationStates],
    ] as const) {
      for (const from of states) {
        for (const to of states) {
          const put = (state: string) => client.query(`update ${of} set ${column} = '${state}'`);
          if (from !== to && (await isWritten(client, { of, put, from, to })))
            written.push(`${of} ${from} ${to}`);
        }
      }
    }
  } finally {
    client.release();
  }
  expect(new Set(written)).toEqual(allowed);
});

async function makeOneOfEach(shop: Shop): Promise<void> {
  const seller = await member(shop, { accountType: "seller" });
  const bookingProduct = { _id: await listing(seller) };
  const body = { price: 640, phone: "5550123", location: "Station", bookingProduct };
  const { insertedId } = await (await member(shop)).call(bookProduct, { body });
  // Drops the constraints that couple a state with other columns.
  const coupled = await shop.pool.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'c' and cardinality(conkey) > 1
      and conrelid = any (array(select distinct table_name::regclass from state_transitions))`,
  );
  for (const { table, name } of coupled.rows)
    await shop.pool.query(`alter table ${table} drop constraint ${name}`);
  await shop.pool.query(
    `insert into offers (id, product_id, buyer_id, seller_id, made_by, price_cents, made_at, expires_at, closed_at, phone, location)
    select $1, product_id, buyer_id, seller_id, 'buyer', 60000, now(), now(), now(), '', ''
    from bookings join products on products.id = product_id`,
    [randomUUID()],
  );
  await shop.pool.query(
    `insert into payments (id, transaction_id, booking_id, amount_cents, currency, goes_back, recorded_at)
    values ($1, 'pi_1', $2, 64000, 'usd', false, now())`,
    [randomUUID(), insertedId],
  );
  await shop.pool.query(
    `insert into meetings (id, booking_id, proposed_by, place, starts_at, time_zone, proposed_at)
    select $1, id, buyer_id, 'Station', now(), 'UTC', now() from bookings where id = $2`,
    [randomUUID(), insertedId],
  );
  await shop.pool.query(
    `insert into invitations (id, inviter_id, shown_as, invited_at, expires_at)
    values (gen_random_uuid(), $1, '', now(), now())`,
    [seller.id],
  );
  await shop.pool.query(
    `insert into money_moves (id, booking_id, kind, attempt, cents, intended_at, last_called_at)
    values (gen_random_uuid(), $1, 'sent', 1, 10000, now(), now())`,
    [insertedId],
  );
  await shop.pool.query(
    `insert into payouts (id, member_id, state, cents, arrives_at, created_at)
    values ('po_1', $1, 'pending', 64000, now(), now())`,
    [seller.id],
  );
}

type Change = { of: string; put: (state: string) => Promise<unknown>; from: string; to: string };

async function isWritten(client: pg.PoolClient, { of, put, from, to }: Change): Promise<boolean> {
  await client.query("begin");
  try {
    await client.query(`alter table ${of} disable trigger user`);
    await put(from);
    await client.query(`alter table ${of} enable trigger user`);
    await put(to);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === "state_transition") return false;
    throw error;
  } finally {
    await client.query("rollback");
  }
}
