import { approval, type ListingStatus } from "#contract/life-cycle.ts";
import type { ShopSettings } from "#contract/shop-settings.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../email/email.ts";
import { nameOf } from "../../email/email-phrases.ts";
import { AppError } from "../../errors.ts";

/** Throws `SELLER_NOT_VERIFIED` if only verified sellers may list laptops. */
export function firstStatus({ verify }: Member, { selling }: ShopSettings): ListingStatus {
  if (selling.sellers === "verified" && !verify)
    throw new AppError(
      "SELLER_NOT_VERIFIED",
      "Only verified sellers can list laptops here. Write to us, and we'll tell you how to become one.",
    );
  return selling.approval ? approval.from : approval.to;
}

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
  const seller = await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("id", "=", listing.seller_id)
    .executeTakeFirstOrThrow();
  const url = `${deps.config.publicUrl}/laptop/${id}`;
  const email = approvedEmail(seller, { laptop: listing.product_name, url });
  await deps.emailQueue.add(tx, { kind: "moderation", ...email });
}

export function approvedEmail(
  { name, email }: { name: string; email: string },
  { laptop, url }: { laptop: string; url: string },
): EmailContent {
  return {
    to: email,
    recipient: name,
    name: "listing-approved",
    paragraphs: [`We have approved ${nameOf(laptop)}. It is on sale now.`],
    action: { label: "View your listing", url },
  };
}
