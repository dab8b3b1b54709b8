import { sql } from "kysely";
import type { Deps } from "../../deps.ts";

/**
 * Counts one view today for each available product; ignores duplicate and unknown ids. Adds no
 * audit row, because nothing about the visitor is stored (decisions/overview).
 */
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
