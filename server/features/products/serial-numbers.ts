import { sql } from "kysely";
import type { z } from "zod";
import type { newProduct } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import { fieldError } from "../../errors.ts";
import { keyedHashes, keysFor, type Secrets } from "../../keyed-hash.ts";

const listedTwice =
  "A laptop with this serial number is for sale already. Check the number, or delete the other listing if it is yours.";

const soldHere =
  "This laptop was sold here, so only its buyer can list it. Enter the transaction ID of the purchase, or leave out the serial number.";

type Stated = { productId: string } & Pick<
  z.output<typeof newProduct>,
  "serial_number" | "transaction_id"
>;

/**
 * Stores the serial number; null removes it, undefined keeps it. Throws `ALREADY_LISTED` if another
 * live listing has the number, or the laptop was sold here and `transaction_id` isn't that of the
 * last sale.
 */
export async function storeSerialNumber(
  tx: Tx,
  secrets: Secrets,
  { productId, serial_number: serial, transaction_id }: Stated,
): Promise<void> {
  if (serial === undefined) return;
  await tx.deleteFrom("serial_numbers").where("product_id", "=", productId).execute();
  if (serial === null) return;
  const [hash, ...earlier] = keyedHashes(keysFor("serial numbers", secrets), serial);
  for (const one of earlier) await requireUnlisted(tx, one);
  const stored = await tx
    .insertInto("serial_numbers")
    .values({
      product_id: productId,
      hash,
      last_four: serial.replaceAll(/[^A-Z0-9]/g, "").slice(-4),
    })
    // The insert waits for a transaction that is storing the same number.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (stored.numInsertedOrUpdatedRows === 0n)
    throw fieldError("serial_number", listedTwice, "ALREADY_LISTED");
  // This check must follow the insert, which waits for a handover that is being confirmed.
  await requireLastBuyer(tx, [hash, ...earlier], transaction_id);
}

/**
 * Requires the transaction ID of the last sale, if any, because the buyer may resell from another
 * account.
 */
async function requireLastBuyer(tx: Tx, hashes: string[], transactionId = ""): Promise<void> {
  const lastSale = await tx
    .selectFrom("serial_numbers")
    .innerJoin("bookings", "bookings.product_id", "serial_numbers.product_id")
    .innerJoin("payments", "payments.booking_id", "bookings.id")
    .select(sql<boolean>`bool_or(transaction_id = ${transactionId})`.as("is_known"))
    .where("serial_numbers.hash", "in", hashes)
    .where(sql<boolean>`not live`)
    .where("bookings.state", "=", "completed")
    .groupBy("bookings.id")
    .orderBy("bookings.booked_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (lastSale?.is_known === false) throw fieldError("transaction_id", soldHere, "ALREADY_LISTED");
}

async function requireUnlisted(tx: Tx, hash: string): Promise<void> {
  const live = await tx
    .selectFrom("serial_numbers")
    .select("product_id")
    .where("hash", "=", hash)
    .where(sql<boolean>`live`)
    .executeTakeFirst();
  if (live) throw fieldError("serial_number", listedTwice, "ALREADY_LISTED");
}

export const serialEndColumn = sql<string | null>`
  (select last_four from serial_numbers where product_id = products.id)`.as("serial_end");
