import { type RawBuilder, sql } from "kysely";
import { toDollars } from "#contract/money.ts";
import { type AdminOverview, overviewWeeks, type SellerOverview } from "#contract/overview.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";

/** A seller's views, holds, sales and earnings by week, and the present totals. */
export async function readSellerOverview(
  tx: Tx,
  seller: Member,
  now: Date,
): Promise<SellerOverview> {
  const own = sql`products.seller_id = ${seller.id}`;
  const weeks = await weekByWeek<"views" | "holds" | "sales" | "cents">(tx, now, {
    columns: ["views", "holds", "sales", "cents"],
    events: (since) => sql`
      select day, views, 0, 0, 0
      from product_views join products on products.id = product_id
      where ${own} and day >= ${since.day}
      union all
      select (booked_at at time zone 'utc')::date, 0, 1, 0, 0
      from bookings join products on products.id = product_id
      where ${own} and booked_at >= ${since.moment}
      union all
      select (recorded_at at time zone 'utc')::date, 0, 0, 1, amount_cents
      from payments join bookings on bookings.id = booking_id join products on products.id = product_id
      where ${own} and payments.state = 'succeeded' and recorded_at >= ${since.moment}`,
  });
  return {
    products: await countProducts(tx, own),
    earned: await sumPayments(
      tx,
      sql`booking_id in (
        select bookings.id from bookings join products on products.id = product_id where ${own}
      )`,
    ),
    weeks: weeks.map(({ cents, ...week }) => ({ ...week, earned: toDollars(cents) })),
  };
}

/** New members, listings, reports and turnover by week, and the present totals. */
export async function readAdminOverview(tx: Tx, now: Date): Promise<AdminOverview> {
  const all = sql`true`;
  const weeks = await weekByWeek<"members" | "listings" | "reports" | "cents">(tx, now, {
    columns: ["members", "listings", "reports", "cents"],
    events: (since) => sql`
      select (created_at at time zone 'utc')::date, 1, 0, 0, 0
      from members where created_at >= ${since.moment}
      union all
      select (posted_at at time zone 'utc')::date, 0, 1, 0, 0
      from products where posted_at >= ${since.moment}
      union all
      select (reported_at at time zone 'utc')::date, 0, 0, 1, 0
      from reports where reported_at >= ${since.moment}
      union all
      select (recorded_at at time zone 'utc')::date, 0, 0, 0, amount_cents
      from payments where state = 'succeeded' and recorded_at >= ${since.moment}`,
  });
  return {
    members: await countMembers(tx),
    products: await countProducts(tx, all),
    openReports: await countOpenReports(tx),
    turnover: await sumPayments(tx, all),
    weeks: weeks.map(({ cents, ...week }) => ({ ...week, turnover: toDollars(cents) })),
  };
}

type Weeks<C extends string> = {
  /** The counted columns, in the order they follow `day` in the events. */
  columns: C[];
  /** Selects the events since the first Monday: as a date, and as a timestamp in UTC. */
  events: (since: Record<"day" | "moment", RawBuilder<unknown>>) => RawBuilder<unknown>;
};

/** Sums events by week, oldest first, including weeks without events. */
async function weekByWeek<C extends string>(
  tx: Tx,
  now: Date,
  { columns, events }: Weeks<C>,
): Promise<({ monday: string } & Record<C, number>)[]> {
  const first = mondayOf(now, overviewWeeks - 1);
  const day = sql`${first.toISOString().slice(0, 10)}::date`;
  const names = columns.map((name) => sql.ref(name));
  const sums = names.map((name) => sql`sum(${name}) as ${name}`);
  const counts = names.map((name) => sql`coalesce(${name}, 0)::float8 as ${name}`);
  const { rows } = await sql<{ monday: string } & Record<C, number>>`
    with events (day, ${sql.join(names)}) as (${events({ day, moment: sql`${first}::timestamptz` })}),
      sums as (select (day - ${day}) / 7 as week, ${sql.join(sums)} from events group by week)
    select (${day} + week * 7)::text as monday, ${sql.join(counts)}
    from generate_series(0, ${overviewWeeks - 1}::int) as week left join sums using (week)
    order by week`.execute(tx);
  return rows;
}

/** The start of the Monday `weeksBefore` weeks ago, in UTC. */
function mondayOf(now: Date, weeksBefore: number): Date {
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const day = now.getUTCDate() - sinceMonday - 7 * weeksBefore;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day));
}

async function countProducts(tx: Tx, condition: RawBuilder<unknown>) {
  const { rows } = await sql<SellerOverview["products"]>`
    select
      count(*) filter (where sales_status = 'available')::int as available,
      count(*) filter (where sales_status = 'booked')::int as booked,
      count(*) filter (where sales_status = 'sold')::int as sold
    from products where ${condition} and deleted_at is null`.execute(tx);
  return rows[0] ?? { available: 0, booked: 0, sold: 0 };
}

async function sumPayments(tx: Tx, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::float8 as cents
    from payments where ${condition} and state = 'succeeded'`.execute(tx);
  return toDollars(rows[0]?.cents ?? 0);
}

async function countMembers(tx: Tx) {
  const { rows } = await sql<AdminOverview["members"]>`
    select
      count(*) filter (where account_type = 'buyer' and not is_admin)::int as buyers,
      count(*) filter (where account_type = 'seller')::int as sellers,
      count(*) filter (where verify)::int as verified
    from members where deleted_at is null`.execute(tx);
  return rows[0] ?? { buyers: 0, sellers: 0, verified: 0 };
}

async function countOpenReports(tx: Tx): Promise<number> {
  const { open } = await tx
    .selectFrom("reports")
    .select(({ fn }) => fn.countAll<string>().as("open"))
    .where("closed_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(open);
}
