import { sql } from "kysely";
import { newOfferState, type OfferState } from "#contract/life-cycle.ts";
import type { Offer } from "#contract/offers.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { unnamedLaptop } from "../../email/email-phrases.ts";
import { ratedColumn, ratingOf } from "../reviews/rating.ts";
import { shownNameColumn, stateColumn } from "../saved/saved-products.ts";
import type { Role } from "./find-offer.ts";

type Asked = Paging & {
  open?: boolean | undefined;
  product?: string | undefined;
  conversation?: string | undefined;
};

/** Lists offers to and from a member, newest first. Shows overdue offers as expired. */
export async function listOffers(
  { db, clock }: Pick<Deps, "clock"> & { db: Tx },
  { id }: Pick<Member, "id">,
  { open = false, product, conversation, ...paging }: Asked,
): Promise<Page<Offer>> {
  const now = clock.now();
  const query = selectOffers(db, id)
    .$if(product !== undefined, (offers) => offers.where("o.product_id", "=", product ?? ""))
    .$if(conversation !== undefined, (offers) =>
      offers.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("conversations as c")
            .where("c.id", "=", conversation ?? "")
            .whereRef("c.product_id", "=", "o.product_id")
            .whereRef("c.buyer_id", "=", "o.buyer_id"),
        ),
      ),
    )
    .$if(open, (offers) =>
      offers.where("o.state", "=", newOfferState).where("o.expires_at", ">", now),
    );
  return await newestFirst(query, { at: "o.made_at", id: "o.id", ...paging }, (row) =>
    toOffer(row, now),
  );
}

function selectOffers(tx: Tx, memberId: string) {
  const isBuyer = sql`o.buyer_id = ${memberId}`;
  const otherId = sql`case when ${isBuyer} then o.seller_id else o.buyer_id end`;
  return tx
    .selectFrom("offers as o")
    .innerJoin("products", "products.id", "o.product_id")
    .innerJoin("members as seller", "seller.id", "o.seller_id")
    .innerJoin("members as other", (join) => join.on(sql<boolean>`other.id = ${otherId}`))
    .select(["o.id", "o.price_cents", "o.made_by", "o.made_at", "o.expires_at", "o.booking_id"])
    .select(["o.decline_at", sql<OfferState>`o.state`.as("offer_state")])
    .select(sql<Role>`case when ${isBuyer} then 'buyer' else 'seller' end`.as("role"))
    .select(["products.id as product_id", "products.img", "products.resale_cents"])
    .select([shownNameColumn.as("shown_name"), stateColumn.as("state"), "other.name as other"])
    .select([
      ratedColumn("seller", "other.id").as("rated_as_seller"),
      ratedColumn("buyer", "other.id").as("rated_as_buyer"),
    ])
    .where(sql<boolean>`${memberId} in (o.buyer_id, o.seller_id)`);
}

type OfferRow = Awaited<ReturnType<ReturnType<typeof selectOffers>["executeTakeFirstOrThrow"]>>;

function toOffer(row: OfferRow, now: Date): Offer {
  const isOverdue = row.offer_state === newOfferState && row.expires_at <= now;
  const { role, decline_at, rated_as_buyer, rated_as_seller } = row;
  return {
    _id: row.id,
    product: {
      _id: row.product_id,
      product_name: row.shown_name ?? unnamedLaptop,
      img: row.state === "removed" ? null : row.img,
      price: toDollars(row.resale_cents),
    },
    role,
    other: {
      name: row.other,
      rating: ratingOf(role === "buyer" ? rated_as_seller : rated_as_buyer),
    },
    price: toDollars(row.price_cents),
    mine: row.made_by === role,
    state: isOverdue ? "expired" : row.offer_state,
    madeAt: row.made_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    bookingId: row.booking_id,
    belowFloor: role === "seller" && decline_at !== null,
  };
}
