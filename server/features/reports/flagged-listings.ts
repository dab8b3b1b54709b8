import { type SqlBool, sql } from "kysely";
import type { FlaggedListing, FlagReason } from "#contract/flagged-listings.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { contactsIn } from "../masking/listing-contacts.ts";
import { approveListing } from "../products/moderate-listing.ts";
import { selectProducts, toProductWithContact } from "../products/product-rows.ts";
import { refuseOwnCase } from "../staff/conflict-of-interest.ts";

/** SQL: whether a listing of an active seller is neither sold nor deleted. */
const isListed = (
  products: "products" | "other",
  seller: "seller" | "other_seller",
) => sql<SqlBool>`
  ${sql.ref(`${products}.deleted_at`)} is null and ${sql.ref(`${products}.sales_status`)} <> 'sold'
  and ${sql.ref(`${seller}.deleted_at`)} is null and ${sql.ref(`${seller}.suspended_at`)} is null`;

type OpenFlags = Pick<FlaggedListing, "resembles"> & { reasons: FlagReason[]; flagged_at: Date };

/**
 * SQL: a product's open flags. A flag about a similar listing counts only while `isListed` is true
 * for that listing.
 */
const openFlags = sql<OpenFlags>`(
  select array_agg(distinct reason) as reasons, max(flagged_at) as flagged_at,
    (array_agg(jsonb_build_object('_id', other.id, 'product_name', other.product_name, 'seller_name', other_seller.name)
      order by flagged_at desc, other.id) filter (where other_id is not null))[1] as resembles
  from listing_flags
    left join products as other on other.id = other_id
    left join members as other_seller on other_seller.id = other.seller_id
  where product_id = products.id and dismissed_at is null
    and (other_id is null or (${isListed("other", "other_seller")})))`;

export function selectFlagged(tx: Tx) {
  const flagged = tx
    .selectFrom("listing_flags")
    .select("product_id")
    .where("dismissed_at", "is", null);
  return selectProducts(tx)
    .innerJoinLateral(openFlags.as("flags"), (join) => join.onTrue())
    .select(["flags.reasons", "flags.resembles", "flags.flagged_at"])
    .where("products.id", "in", flagged)
    .where(isListed("products", "seller"))
    .where("flags.reasons", "is not", null);
}

export async function listFlaggedListings(tx: Tx, paging: Paging): Promise<Page<FlaggedListing>> {
  const order = { at: "flags.flagged_at", id: "products.id" } as const;
  return await newestFirst(selectFlagged(tx), { ...order, ...paging }, (row) => ({
    flaggedAt: row.flagged_at.toISOString(),
    reasons: row.reasons,
    resembles: row.resembles,
    contacts: contactsIn(row.texts_with_contacts),
    product: toProductWithContact(row),
  }));
}

/**
 * Dismisses all flags of a listing. If the listing awaits approval, also puts it on sale. Throws
 * `NOT_FOUND`, `FORBIDDEN`, and `STALE` if the seller edited the listing after `flaggedAt`.
 */
export async function dismissFlag(
  deps: Deps,
  admin: Member,
  { id, flaggedAt }: { id: string; flaggedAt?: string | undefined },
): Promise<void> {
  await transact(deps.db, "dismissFlag", async (tx) => {
    const at = deps.clock.now();
    // An edit holds this lock until its flags are committed.
    await tx.selectFrom("products").select("id").where("id", "=", id).forUpdate().execute();
    const flagged = await selectFlagged(tx)
      .select("products.seller_id")
      .where("products.id", "=", id)
      .executeTakeFirstOrThrow(
        orNotFound("This listing is no longer in the list of those to check."),
      );
    refuseOwnCase(admin, flagged.seller_id);
    if (flaggedAt !== undefined && flagged.flagged_at > new Date(flaggedAt))
      throw new AppError(
        "STALE",
        "The seller has just changed this listing. Look at it again before you decide.",
      );
    await tx
      .updateTable("listing_flags")
      .set({ dismissed_at: at })
      .where("product_id", "=", id)
      .where("dismissed_at", "is", null)
      .execute();
    await approveListing(tx, deps, id);
    const reasons = flagged.reasons.toSorted().join(", ");
    const by = { at, actor: admin.id, verb: "find in order" };
    await recordAudit(tx, { ...by, object: "product", objectId: id, detail: { reasons } });
  });
}
