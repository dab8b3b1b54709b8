import { sql } from "kysely";
import { newOfferState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";

export type Role = "buyer" | "seller";

type FoundOffer = Awaited<ReturnType<typeof findOffer>>;

/** Finds an offer to or from the member. `isMine`: whether they made it. Throws `NOT_FOUND`. */
export async function findOffer(tx: Tx, { id: memberId }: Member, id: string) {
  return toFound(await selectOffer(tx, memberId, id).executeTakeFirst(), memberId);
}

export async function lockOffer(tx: Tx, { id: memberId }: Member, id: string) {
  return toFound(await selectOffer(tx, memberId, id).forUpdate().executeTakeFirst(), memberId);
}

function selectOffer(tx: Tx, memberId: string, id: string) {
  return tx
    .selectFrom("offers")
    .selectAll()
    .select(sql<Role>`made_by`.as("made_by"))
    .where("id", "=", id)
    .where(({ or, eb }) => or([eb("buyer_id", "=", memberId), eb("seller_id", "=", memberId)]));
}

type OfferRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectOffer>["executeTakeFirst"]>>
>;

function toFound(offer: OfferRow | undefined, memberId: string) {
  if (!offer) throw new AppError("NOT_FOUND", "You have no such offer.");
  const role: Role = offer.buyer_id === memberId ? "buyer" : "seller";
  return { ...offer, role, isMine: offer.made_by === role };
}

/** Throws `STALE` if the member made the offer, or the offer is no longer open. */
export function requireOpen(offer: FoundOffer, at: Date): FoundOffer {
  if (offer.isMine)
    throw new AppError("STALE", "This is your own offer. The other side answers it.");
  if (offer.state === newOfferState && offer.expires_at > at) return offer;
  throw noLongerOpen();
}

export function noLongerOpen(): AppError {
  return new AppError("STALE", "This offer is no longer open. Look at your offers again.");
}
