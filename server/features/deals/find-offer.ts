import { sql } from "kysely";
import { newOfferState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError, orNotFound } from "../../errors.ts";

export type Role = "buyer" | "seller";

type FoundOffer = Awaited<ReturnType<typeof findOffer>>;

const noSuchOffer = orNotFound("You have no such offer.");

/** Finds an offer to or from the member. `isMine`: whether they made it. Throws `NOT_FOUND`. */
export async function findOffer(tx: Tx, member: Member, id: string) {
  return await selectOffer(tx, member, id).executeTakeFirstOrThrow(noSuchOffer);
}

export async function lockOffer(tx: Tx, member: Member, id: string) {
  return await selectOffer(tx, member, id).forUpdate().executeTakeFirstOrThrow(noSuchOffer);
}

function selectOffer(tx: Tx, { id: memberId }: Member, id: string) {
  const role = sql<Role>`case when buyer_id = ${memberId} then 'buyer' else 'seller' end`;
  return tx
    .selectFrom("offers")
    .selectAll()
    .select([role.as("role"), sql<boolean>`made_by = ${role}`.as("isMine")])
    .where("id", "=", id)
    .where(sql<boolean>`${memberId} in (buyer_id, seller_id)`);
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
