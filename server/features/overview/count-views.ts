import { sql } from "kysely";
import type { Deps } from "../../deps.ts";

/**
 * Counts one view today for each product that is for sale, however often it is named; what is not for sale
 * is passed over. It is a count and nobody's deed, so the audit log does not hear of it (decision 0016).
 */
export async function countViews({ db, clock }: Deps, productIds: string[]): Promise<void> {
  // In one order, so that two who count at once never wait for each other in a circle.
  await sql`
    insert into product_views (product_id, day, views)
    select id, (${clock.now()}::timestamptz at time zone 'utc')::date, 1
    from products
    where id = any(${productIds}::uuid[]) and sales_status = 'available' and deleted_at is null
    order by id
    on conflict (product_id, day) do update set views = product_views.views + excluded.views
  `.execute(db);
}
