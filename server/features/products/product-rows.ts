import { jsonObjectFrom } from "kysely/helpers/postgres";
import { complaintTerms } from "#contract/deal-texts.ts";
import { feeOf } from "#contract/fee.ts";
import { liveBookingStates, type SalesStatus } from "#contract/life-cycle.ts";
import { toDollars } from "#contract/price.ts";
import type { OwnProduct, Product, ProductWithContact } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import { isOverdue, meetingColumn, toMeeting } from "../deals/booking-columns.ts";
import { agreedFee } from "../deals/fee-times-and-promo.ts";
import type { TextsWithContacts } from "../masking/listing-contacts.ts";
import { checksOf } from "../members/verify-seller.ts";
import { partRefundOf, toPartRefund } from "../money/refunded-amounts.ts";
import { settlementState } from "../money/settlement.ts";
import { mayReviewColumn, ratedColumn, ratingOf } from "../reviews/rating.ts";
import { serialEndColumn } from "./serial-numbers.ts";

/** Joins the seller, because `verify` and `seller_name` are never copied to the product. */
export function selectProducts(tx: Tx) {
  return tx
    .selectFrom("products")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select([
      "products.id",
      "products.category_id",
      "products.product_name",
      "products.condition",
      "products.resale_cents",
      "products.original_cents",
      "products.use_duration",
      "products.location",
      "products.posted_at",
      "products.year_of_purchase",
      "products.mobile_number",
      "products.description",
      "products.texts_with_contacts",
      "products.img",
      "products.img_preview",
      "products.sales_status",
      "products.advertise",
      "seller.name as seller_name",
      "seller.email as seller_email",
      "seller.verify",
      "seller.confirmed_at as seller_confirmed_at",
      "seller.identity_checked_at as seller_identity_checked_at",
    ])
    .select(ratedColumn("seller", "seller.id").as("seller_rated"))
    .select(({ selectFrom }) =>
      selectFrom("laptop_facts")
        .select("battery_health")
        .whereRef("laptop_facts.product_id", "=", "products.id")
        .as("battery_health"),
    );
}

export function selectAvailable(tx: Tx) {
  return selectProducts(tx)
    .where("products.sales_status", "=", "available")
    .where("products.deleted_at", "is", null)
    .where("seller.suspended_at", "is", null);
}

type ProductRow = Awaited<ReturnType<ReturnType<typeof selectProducts>["executeTakeFirstOrThrow"]>>;

/** Returns the public product: no contact fields, and contact details in texts are masked. */
export function toProduct(row: ProductRow): Product {
  return {
    _id: row.id,
    product_categoryId: row.category_id,
    product_name: row.product_name,
    condition: row.condition,
    resale_price: toDollars(row.resale_cents),
    original_price: toDollars(row.original_cents),
    use_duration: row.use_duration,
    location: row.location,
    seller_name: row.seller_name,
    postedAt: row.posted_at.toISOString(),
    yearOf_purchase: row.year_of_purchase,
    description: row.description,
    img: row.img,
    img_preview: row.img_preview,
    // Public queries exclude listings awaiting approval, and the contract rejects that status.
    sales_status: row.sales_status as SalesStatus,
    advertise: row.advertise,
    verify: row.verify,
    sellerChecks: checksOf({
      verify: row.verify,
      confirmed_at: row.seller_confirmed_at,
      identity_checked_at: row.seller_identity_checked_at,
    }),
    sellerRating: ratingOf(row.seller_rated),
    batteryHealth: row.battery_health,
  };
}

/** Returns the product with contact details and unmasked texts, which must not become public. */
export function toProductWithContact(row: ProductRow): ProductWithContact {
  const texts = row.texts_with_contacts as TextsWithContacts | null;
  const { sales_status, mobile_number, seller_email: sellerEmail } = row;
  return { ...toProduct(row), ...texts, sales_status, mobile_number, sellerEmail };
}

/** Selects products, each with its live booking, if any. An overdue hold is not live. */
export function selectOwnProducts(tx: Tx, now: Date) {
  const own = selectProducts(tx).select(serialEndColumn);
  return own.select(({ selectFrom }) =>
    jsonObjectFrom(
      selectFrom("bookings")
        .innerJoin("members as buyer", "buyer.id", "bookings.buyer_id")
        .leftJoin("settlements", "settlements.booking_id", "bookings.id")
        .leftJoin("complaints", "complaints.booking_id", "bookings.id")
        .select(["bookings.id as bookingId", "state", "held_until", "phone", "location"])
        .select(["bookings.price_cents", "complaints.return_by", agreedFee])
        .select(["complaints.opened_at", "complaints.answered_at", "complaints.decided_at"])
        .select(settlementState.as("money"))
        .select(["buyer.name", "buyer.email", ratedColumn("buyer", "buyer.id").as("rated")])
        .select(mayReviewColumn("bookings.id", "products.seller_id", now).as("mayReview"))
        .select(meetingColumn("bookings.id", "bookings.buyer_id").as("meeting"))
        .select(({ ref }) => partRefundOf(ref("bookings.id")).as("partRefund"))
        .select((booking) =>
          booking
            .selectFrom("disputes")
            .innerJoin("payments", "payments.id", "disputes.payment_id")
            .select("disputes.state")
            .whereRef("payments.booking_id", "=", "bookings.id")
            .orderBy("disputes.opened_at", "desc")
            .limit(1)
            .as("dispute"),
        )
        .whereRef("bookings.product_id", "=", "products.id")
        .where("state", "in", liveBookingStates)
        .where(({ not }) => not(isOverdue(now))),
    ).as("deal"),
  );
}

type OwnRow = Awaited<ReturnType<ReturnType<typeof selectOwnProducts>["executeTakeFirstOrThrow"]>>;

export function toOwnProduct(row: OwnRow): OwnProduct {
  const product = { ...toProductWithContact(row), serial_end: row.serial_end };
  if (row.deal === null) return { ...product, deal: null };
  const {
    held_until,
    rated,
    price_cents,
    fee,
    return_by,
    partRefund: part,
    money,
    opened_at,
    answered_at,
    decided_at,
    ...deal
  } = row.deal;
  const keptCents = price_cents - (part ? part.refunded + part.owed : 0);
  const feeCents = feeOf(keptCents, fee);
  return {
    ...product,
    deal: {
      ...deal,
      price: toDollars(price_cents),
      fee: toDollars(feeCents),
      gets: toDollars(keptCents - feeCents),
      partRefund: toPartRefund(part),
      meeting: toMeeting(deal.meeting),
      returnBy: return_by && new Date(return_by).toISOString(),
      heldUntil: new Date(held_until).toISOString(),
      buyerRating: ratingOf(rated),
      complaint: opened_at
        ? { answerBy: answered_at || decided_at ? null : answerDeadline(opened_at) }
        : null,
      paidOut: money === "released",
    },
  };
}

function answerDeadline(openedAt: string | Date): string {
  const opened = new Date(openedAt).getTime();
  return new Date(opened + complaintTerms.answerHours * 3_600_000).toISOString();
}
