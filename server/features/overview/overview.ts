import { sql } from "kysely";
import { type AdminOverview, overviewWeeks, type SellerOverview } from "#contract/overview.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { OverviewMetric } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";

export async function readSellerOverview(
  tx: Tx,
  seller: Member,
  now: Date,
): Promise<SellerOverview> {
  const { total, weeks } = await readFigures(tx, now, seller.id);
  return {
    products: productsOf(total),
    earned: toDollars(total("cents")),
    weeks: weeks.map(({ monday, count }) => ({
      monday,
      views: count("views"),
      holds: count("holds"),
      sales: count("sales"),
      earned: toDollars(count("cents")),
    })),
  };
}

export async function readAdminOverview(tx: Tx, now: Date): Promise<AdminOverview> {
  const { total, weeks } = await readFigures(tx, now);
  return {
    members: {
      buyers: total("buyers"),
      sellers: total("sellers"),
      verified: total("verified"),
    },
    products: productsOf(total),
    openReports: total("open_reports"),
    turnover: toDollars(total("cents")),
    promotions: toDollars(await readPromotionCents(tx)),
    fees: await readFees(tx, weeks[0]?.monday),
    weeks: weeks.map(({ monday, count }) => ({
      monday,
      members: count("members"),
      listings: count("listings"),
      reports: count("reports"),
      turnover: toDollars(count("cents")),
    })),
  };
}

async function readPromotionCents(tx: Tx): Promise<number> {
  const { cents } = await tx
    .selectFrom("ledger_entries")
    .select(({ fn }) => fn.sum<string | null>("cents").as("cents"))
    .where("account", "=", sql.lit("marketing"))
    .executeTakeFirstOrThrow();
  return Number(cents);
}

async function readFees(tx: Tx, monday: string | undefined): Promise<AdminOverview["fees"]> {
  const { rows } = await sql<{ earned: number; charged: number; sales: number }>`
    select coalesce(sum(earned), 0)::float8 as earned, coalesce(sum(charged), 0)::float8 as charged,
      (count(distinct booking_id) filter (where kind = 'release'))::int as sales
    from ledger_journals cross join lateral (
      select -sum(cents) filter (where account = 'fee_revenue') as earned,
        sum(cents) filter (where account = 'stripe_fees') as charged
      from ledger_entries where journal_id = id) as fees
    where kind in ('stripe_fee', 'release', 'release_undone')
      and at >= ${monday}::date::timestamp at time zone 'utc'`.execute(tx);
  const { earned = 0, charged = 0, sales = 0 } = rows[0] ?? {};
  return {
    earned: toDollars(earned),
    charged: toDollars(charged),
    chargedPerSale: sales === 0 ? null : toDollars(Math.round(charged / sales)),
  };
}

type Count = (metric: OverviewMetric) => number;

function productsOf(total: Count): SellerOverview["products"] {
  return { available: total("available"), booked: total("booked"), sold: total("sold") };
}

/** Totals and recent weeks, oldest first, for one seller or the whole shop (decisions/overview). */
async function readFigures(tx: Tx, now: Date, sellerId?: string) {
  const mondays = Array.from({ length: overviewWeeks }, (_, index) =>
    mondayOf(now, overviewWeeks - 1 - index),
  );
  const isRecent = sql`(monday is null or monday >= ${mondays[0]}::date)`;
  const isCounted = sellerId === undefined ? sql`seller_id is null` : sql`seller_id = ${sellerId}`;
  const isDelta = sellerId === undefined ? sql`true` : isCounted;
  const { rows } = await sql<{ metric: OverviewMetric; monday: string; amount: number }>`
    select metric, coalesce(monday::text, '') as monday, sum(amount)::float8 as amount
    from (
      select metric, monday, amount from overview_counts where ${isCounted} and ${isRecent}
      union all
      select metric, monday, amount from overview_deltas where ${isDelta} and ${isRecent}
    ) as figures
    group by metric, monday`.execute(tx);
  const amounts = new Map(
    rows.map(({ metric, monday, amount }) => [`${metric} ${monday}`, amount]),
  );
  const counts = (monday: string): Count => {
    return (metric) => amounts.get(`${metric} ${monday}`) ?? 0;
  };
  return { total: counts(""), weeks: mondays.map((monday) => ({ monday, count: counts(monday) })) };
}

/** The Monday `weeksBefore` weeks ago, in UTC. */
function mondayOf(now: Date, weeksBefore: number): string {
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const day = now.getUTCDate() - sinceMonday - 7 * weeksBefore;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day))
    .toISOString()
    .slice(0, 10);
}

const batchSize = 10_000;

/** Job `foldOverviewDeltas`, every minute: folds deltas into the counts (decisions/overview). */
export async function foldOverviewDeltas({ db }: Pick<Deps, "db">): Promise<void> {
  for (let folded = batchSize; folded === batchSize; ) {
    folded = await transact(db, "foldOverviewDeltas", async (tx) => {
      const { rows } = await sql<{ folded: number }>`
        select fold_overview_deltas(${batchSize})::int as folded`.execute(tx);
      return rows[0]?.folded ?? 0;
    });
  }
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
