import { type RawBuilder, sql } from "kysely";
import { feeOf } from "#contract/fee.ts";
import { type AdminOverview, overviewWeeks, type SellerOverview } from "#contract/overview.ts";
import { toDollars } from "#contract/price.ts";
import { readRow, type Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { agreedFee } from "../deals/fee-times-and-promo.ts";

export async function readSellerOverview(
  tx: Tx,
  seller: Member,
  now: Date,
): Promise<SellerOverview> {
  const isOwn = sql`product_id in (select id from products where seller_id = ${seller.id})`;
  const { sum, mondays } = await sumByWeek(tx, now, (since) => [
    sql`select 'views', day::timestamp at time zone 'utc', views
      from product_views where ${isOwn} and day >= ${since}::date`,
    sql`select 'holds', booked_at, 1 from bookings where ${isOwn}`,
    sql`select 'sales', recorded_at, 1 ${fromSales} and ${isOwn}`,
  ]);
  const earned = await readEarnings(tx, seller);
  return {
    products: await readRow(tx, productCounts(sql`seller_id = ${seller.id}`)),
    earned: earned(),
    weeks: mondays.map((monday) => ({
      monday,
      views: sum("views", monday),
      holds: sum("holds", monday),
      sales: sum("sales", monday),
      earned: earned(monday),
    })),
  };
}

export async function readAdminOverview(tx: Tx, now: Date): Promise<AdminOverview> {
  const { sum, mondays } = await sumByWeek(tx, now, () => [
    sql`select 'members', created_at, 1 from members`,
    sql`select 'listings', posted_at, 1 from products`,
    sql`select 'reports', reported_at, 1 from reports`,
    sql`select 'cents', recorded_at, ${keptCents} ${fromSales}`,
  ]);
  return {
    members: await readRow(tx, memberCounts),
    products: await readRow(tx, productCounts(sql`true`)),
    openReports: (await readRow(tx, openReports)).count,
    turnover: toDollars(sum("cents")),
    promotions: toDollars((await readRow(tx, promotions)).cents),
    fees: await readFees(tx, mondays[0]),
    weeks: mondays.map((monday) => ({
      monday,
      members: sum("members", monday),
      listings: sum("listings", monday),
      reports: sum("reports", monday),
      turnover: toDollars(sum("cents", monday)),
    })),
  };
}

const keptCents = sql<number>`(amount_cents - part_refunded_cents + discount_cents + credit_cents)`;

const fromSales = sql`
  from payments join bookings on bookings.id = booking_id where payments.state = 'succeeded'`;

const weekOf = (at: string) =>
  sql<string>`date_trunc('week', ${sql.ref(at)} at time zone 'utc')::date::text`;

/** Returns a function that sums a seller's earnings after the fee, of one week or of all. */
async function readEarnings(tx: Tx, { id }: Pick<Member, "id">) {
  const sales = await tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .select([weekOf("recorded_at").as("monday"), keptCents.as("cents"), agreedFee])
    .where("settlements.seller_id", "=", id)
    .where("payments.state", "=", "succeeded")
    .execute();
  return (monday?: string) =>
    toDollars(
      sales
        .filter((sale) => (monday ?? sale.monday) === sale.monday)
        .reduce((total, { cents, fee }) => total + cents - feeOf(cents, fee), 0),
    );
}

const productCounts = (isCounted: RawBuilder<unknown>) => sql<SellerOverview["products"]>`
  select (count(*) filter (where sales_status = 'available'))::int as available,
    (count(*) filter (where sales_status = 'booked'))::int as booked,
    (count(*) filter (where sales_status = 'sold'))::int as sold
  from products where deleted_at is null and ${isCounted}`;

const memberCounts = sql<AdminOverview["members"]>`
  select (count(*) filter (where account_type = 'buyer' and not is_admin))::int as buyers,
    (count(*) filter (where account_type = 'seller'))::int as sellers,
    (count(*) filter (where verify))::int as verified
  from members where deleted_at is null`;

const openReports = sql<{ count: number }>`
  select count(*)::int as count from reports where closed_at is null`;

const promotions = sql<{ cents: number }>`
  select coalesce(sum(cents), 0)::float8 as cents from ledger_entries where account = 'marketing'`;

async function readFees(tx: Tx, monday: string | undefined): Promise<AdminOverview["fees"]> {
  type Fees = { earned: number; charged: number; per_sale: number | null };
  const since = sql`at >= ${monday}::date::timestamp at time zone 'utc'`;
  const feesOfSale = sql`(
    select sum(cents) from ledger_journals join ledger_entries on journal_id = id
    where booking_id = sale.booking_id and account = 'stripe_fees')`;
  const query = sql<Fees>`
    select coalesce(sum(earned), 0)::float8 as earned, coalesce(sum(charged), 0)::float8 as charged,
      (select round(avg(${feesOfSale}))::float8 from (
        select distinct booking_id from ledger_journals where kind = 'release' and ${since}
      ) as sale) as per_sale
    from ledger_journals cross join lateral (
      select -sum(cents) filter (where account = 'fee_revenue') as earned,
        sum(cents) filter (where account = 'stripe_fees') as charged
      from ledger_entries where journal_id = id) as fees
    where kind in ('stripe_fee', 'release', 'release_undone') and ${since}`;
  const { earned, charged, per_sale } = await readRow(tx, query);
  return {
    earned: toDollars(earned),
    charged: toDollars(charged),
    chargedPerSale: per_sale === null ? null : toDollars(per_sale),
  };
}

type Metric = "views" | "holds" | "sales" | "cents" | "members" | "listings" | "reports";

/**
 * Sums metrics by week. `select` returns queries for metric, time and amount. `sum` adds up one
 * week's rows, or all rows if it gets no Monday.
 */
async function sumByWeek(tx: Tx, now: Date, select: (since: string) => RawBuilder<unknown>[]) {
  const mondays = Array.from({ length: overviewWeeks }, (_, index) =>
    mondayOf(now, overviewWeeks - 1 - index),
  );
  const { rows } = await sql<{ metric: Metric; monday: string; amount: number }>`
    select metric, ${weekOf("at")} as monday, sum(amount)::float8 as amount
    from (${sql.join(select(mondayOf(now, overviewWeeks - 1)), sql` union all `)}) as facts (metric, at, amount)
    group by 1, 2`.execute(tx);
  const sum = (metric: Metric, monday?: string) =>
    rows
      .filter((row) => row.metric === metric && (monday ?? row.monday) === row.monday)
      .reduce((total, { amount }) => total + amount, 0);
  return { sum, mondays };
}

/** The Monday `weeksBefore` weeks ago, in UTC. */
function mondayOf(now: Date, weeksBefore: number): string {
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const day = now.getUTCDate() - sinceMonday - 7 * weeksBefore;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day))
    .toISOString()
    .slice(0, 10);
}

/** Adds no audit row, because nothing about the visitor is stored (decisions/overview). */
export async function countViews({ db, clock }: Deps, productIds: string[]): Promise<void> {
  // The rows are sorted, so that concurrent counts can't deadlock.
  await sql`
    insert into product_views (product_id, day, views)
    select id, (${clock.now()}::timestamptz at time zone 'utc')::date, 1
    from products
    where id = any(${productIds}::uuid[]) and sales_status = 'available' and deleted_at is null
    order by id
    on conflict (product_id, day) do update set views = product_views.views + excluded.views
  `.execute(db);
}
