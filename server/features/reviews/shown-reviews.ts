import { type InferResult, sql } from "kysely";
import type { Review, ReviewedDeal } from "#contract/reviews.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { unnamedLaptop } from "../../email/email-phrases.ts";
import { shownNameColumn, stateColumn } from "../saved/saved-products.ts";

export type Role = "buyer" | "seller";

/** Selects the public reviews. */
export function selectPublished(tx: Tx) {
  return tx
    .selectFrom("reviews as r")
    .innerJoin("bookings", "bookings.id", "r.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .innerJoin("members as author", "author.id", "r.author_id")
    .select(["r.id as review_id", "r.stars", "r.text", "r.reply", "r.published_at"])
    .select(["author.name as author_name", "author.deleted_at as author_deleted_at"])
    .select([sql<Role>`r.author_role`.as("role"), shownNameColumn.as("shown_name")])
    .where("r.published_at", "is not", null)
    .where("r.removed_at", "is", null);
}

type PublishedRow = InferResult<ReturnType<typeof selectPublished>>[number];

export function toReview(row: PublishedRow): Review {
  return {
    _id: row.review_id,
    author: row.author_deleted_at ? "Former member" : shortName(row.author_name),
    role: row.role,
    product_name: row.shown_name ?? unnamedLaptop,
    stars: row.stars,
    text: row.text,
    publishedAt: (row.published_at ?? new Date(0)).toISOString(),
    reply: row.reply,
  };
}

/** Shortens "Maria Silva" to "Maria S.", because buyers' full names are not public. */
function shortName(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = "", last] = [words[0], words.slice(1).at(-1)];
  return last === undefined ? first : `${first} ${[...last][0]}.`;
}

export async function listSellerReviews(
  tx: Tx,
  sellerId: string,
  paging: Paging,
): Promise<Page<Review>> {
  const reviews = selectPublished(tx)
    .where("r.subject_id", "=", sellerId)
    .where("r.author_role", "=", "buyer");
  return await newestFirst(reviews, { at: "r.published_at", id: "r.id", ...paging }, toReview);
}

export async function listReviewedDeals(
  tx: Tx,
  { id }: Pick<Member, "id">,
  paging: Paging,
): Promise<Page<ReviewedDeal>> {
  const isBuyer = sql`w.buyer_id = ${id}`;
  const otherId = sql`case when ${isBuyer} then w.seller_id else w.buyer_id end`;
  const deals = tx
    .selectFrom("review_windows as w")
    .innerJoin("bookings", "bookings.id", "w.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as seller", "seller.id", "w.seller_id")
    .innerJoin("members as other", (join) => join.on(sql<boolean>`other.id = ${otherId}`))
    .select(["w.booking_id", "w.closes_at", "w.published_at", "other.name as other"])
    .select(sql<Role>`case when ${isBuyer} then 'buyer' else 'seller' end`.as("role"))
    .select(["products.id as product_id", "products.img"])
    .select([shownNameColumn.as("shown_name"), stateColumn.as("state")])
    .select([ownReview(id, "mine").as("mine"), ownReview(id, "theirs").as("theirs")])
    .where(sql<boolean>`${id} in (w.buyer_id, w.seller_id)`);
  return await newestFirst(deals, { at: "w.opened_at", id: "w.booking_id", ...paging }, (row) => ({
    _id: row.booking_id,
    product: {
      _id: row.product_id,
      product_name: row.shown_name ?? unnamedLaptop,
      img: row.state === "removed" ? null : row.img,
    },
    role: row.role,
    other: { name: row.other },
    closesAt: row.closes_at.toISOString(),
    published: row.published_at !== null,
    mine: row.mine && toOwnReview(row.mine),
    theirs: row.theirs && toOwnReview(row.theirs),
  }));
}

type OwnReview = NonNullable<ReviewedDeal["mine"]>;

function ownReview(memberId: string, which: "mine" | "theirs") {
  const condition =
    which === "mine"
      ? sql`author_id = ${memberId}`
      : sql`subject_id = ${memberId} and published_at is not null`;
  return sql<OwnReview | null>`(
    select json_build_object('_id', id, 'stars', stars, 'reply', reply, 'writtenAt', written_at,
      'text', case when removed_at is null then text else '' end, 'removed', removed_at is not null)
    from reviews where reviews.booking_id = w.booking_id and ${condition})`;
}

function toOwnReview({ writtenAt, ...review }: OwnReview): OwnReview {
  return { ...review, writtenAt: new Date(writtenAt).toISOString() };
}
