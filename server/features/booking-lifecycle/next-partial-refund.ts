import type { Tx } from "../../db/database.ts";

/** The numbers of a booking's next attempt to refund a part, and of its next part. The caller has locked the booking. */
export async function nextPartialRefund(tx: Tx, bookingId: string) {
  const { attempts, parts } = await tx
    .selectFrom("partial_refunds")
    .select(({ fn }) => [fn.max("attempt").as("attempts"), fn.max("part").as("parts")])
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return { attempt: Number(attempts) + 1, part: Number(parts) + 1 };
}
