import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Notifies both sides' open event streams when the transaction commits (decisions/messages). */
export async function recordDealChange(tx: Tx, bookingId: string): Promise<void> {
  await sql`
    select record_public_change(array['deals:' || buyer_id, 'deals:' || seller_id])
    from bookings join products on products.id = product_id
    where bookings.id = ${bookingId}`.execute(tx);
}
