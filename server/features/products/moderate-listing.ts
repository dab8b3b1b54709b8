import { approval } from "#contract/life-cycle.ts";
import { type Tx, transact } from "../../db/database.ts";
import { isErased, type Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { nameOf, quoteListing } from "../../email/email-phrases.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { endHold, expireOverdueHold } from "../deals/end-hold.ts";
import { endOffers } from "../deals/end-offers.ts";
import { unbooked } from "./products.ts";

/** Does nothing unless the listing awaits approval. */
export async function approveListing(tx: Tx, deps: Deps, id: string): Promise<void> {
  const at = deps.clock.now();
  const listing = await tx
    .updateTable("products")
    // Alerts and lists of new laptops treat the laptop as new from its approval.
    .set({ sales_status: approval.to, posted_at: at })
    .where("id", "=", id)
    .where("sales_status", "=", approval.from)
    .where("deleted_at", "is", null)
    .returning(["product_name", "seller_id"])
    .executeTakeFirst();
  if (!listing) return;
  const url = `${deps.config.publicUrl}/laptop/${id}`;
  const email = approvedEmail({ laptop: listing.product_name, url });
  await mailSeller(tx, deps, { sellerId: listing.seller_id, email });
}

/**
 * Ends any unpaid hold, and then takes the listing down. Throws `NOT_FOUND`, or `IN_USE` if the
 * laptop is paid for or its listing has just changed.
 */
export async function takeDownProduct(
  deps: Deps,
  admin: Member,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await expireOverdueHold(deps, id);
  const hold = await findHold(deps.db, id);
  if (hold) await endHold(deps, { bookingId: hold.id, transition: "cancel", actor: admin.id });
  await transact(deps.db, "takeDownProduct", async (tx) => {
    const at = deps.clock.now();
    const claimed = await tx
      .updateTable("products")
      .set({ deleted_at: at, taken_down: true, advertise: false })
      .where("id", "=", id)
      .where("deleted_at", "is", null)
      .where("sales_status", "in", unbooked)
      .returning(["product_name as name", "seller_id"])
      .executeTakeFirst();
    if (!claimed) return await refuseTakedown(tx, id);
    await endOffers(tx, id, { at }).execute();
    await recordAudit(tx, {
      at,
      actor: admin.id,
      verb: "take down",
      object: "product",
      objectId: id,
      detail: { reason },
    });
    const url = `${deps.config.publicUrl}/dashboard/myProducts`;
    const email = takenDownEmail({ name: claimed.name, reason, url });
    await mailSeller(tx, deps, { sellerId: claimed.seller_id, email });
  });
}

type ToSeller = { sellerId: string; email: EmailMessage };

async function mailSeller(tx: Tx, deps: Deps, { sellerId, email }: ToSeller): Promise<void> {
  const seller = await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("id", "=", sellerId)
    .executeTakeFirstOrThrow();
  if (isErased(seller.email)) return;
  await deps.emailQueue.add(tx, { kind: "moderation", ...addressedTo(seller), ...email });
}

async function findHold(tx: Tx, productId: string) {
  return await tx
    .selectFrom("bookings")
    .select("id")
    .where("product_id", "=", productId)
    .where("state", "=", "held")
    .executeTakeFirst();
}

const inUse = {
  sold: "This laptop is paid for. Refund the buyer before you take the listing down.",
  booked: "Someone has just put this laptop on hold. Try again in a minute.",
  available: "This listing changed a moment ago. Try again.",
  waiting: "This listing changed a moment ago. Try again.",
};

async function refuseTakedown(tx: Tx, id: string): Promise<never> {
  const product = await tx
    .selectFrom("products")
    .select("sales_status")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow(orNotFound("This laptop is no longer listed."));
  throw new AppError("IN_USE", inUse[product.sales_status]);
}

export function approvedEmail({ laptop, url }: { laptop: string; url: string }): EmailMessage {
  return {
    name: "listing-approved",
    paragraphs: [`We have approved ${nameOf(laptop)}. It is on sale now.`],
    action: { label: "View your listing", url },
  };
}

type TakenDown = { name: string; reason: string; url: string };

export function takenDownEmail({ name, reason, url }: TakenDown): EmailMessage {
  return {
    name: "listing-taken-down",
    paragraphs: [
      "We took down one of your listings, so nobody can see or book it anymore. This is why:",
      `“${reason}”`,
      ...quoteListing(name),
      "You can list the laptop again once that is put right. If you think this is a mistake, write to our support team.",
    ],
    action: { label: "View My Products", url },
    actionAfter: 3,
  };
}
