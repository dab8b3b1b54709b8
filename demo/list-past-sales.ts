import { createHash } from "node:crypto";
import { liveBookingStates } from "../contract/life-cycle.ts";
import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { addProduct } from "../server/features/products/products.ts";
import { ago, depsAt } from "./backdate.ts";
import { bookings, type DemoBooking } from "./bookings.ts";
import { listings } from "./listings.ts";
import { type PastSale, pastSales } from "./past-sales.ts";
import { type Seller, sellers } from "./people.ts";

const phones = new Map(bookings.map(({ buyer, phone }) => [buyer, phone]));

export const paidSellers: readonly Seller[] = ["marta", "devon", "hannah"];

const sellerOf = new Map(listings.map(({ product_name, seller }) => [product_name, seller]));

/** Omits the time for unpaid sellers. The default, an hour ago, means no payout is due yet. */
function handedOver({ like, soldDaysAgo }: PastSale): Pick<DemoBooking, "handedOverHoursAgo"> {
  const isPaid = paidSellers.some((one) => one === sellerOf.get(like));
  return isPaid ? { handedOverHoursAgo: 24 * (soldDaysAgo - 1) } : {};
}

export const pastBookings: readonly DemoBooking[] = pastSales.map((sale) => ({
  product_name: sale.product_name,
  buyer: sale.buyer,
  phone: phones.get(sale.buyer) ?? "503-555-0100",
  location: "The public library, main entrance",
  state: "completed",
  bookedHoursAgo: sale.soldDaysAgo * 24,
  ...handedOver(sale),
}));

/** Lists the laptops of past sales, each with the photo of a similar listing. */
export async function listPastSales(deps: Deps, members: Record<string, Member>): Promise<void> {
  const rows = await deps.db
    .selectFrom("products")
    .select(["product_name", "category_id", "img"])
    .execute();
  const listed = new Map(rows.map((row) => [row.product_name, row]));
  for (const { product_name, like, resale_price, listedDaysAgo } of pastSales) {
    const listing = listings.find((one) => one.product_name === like);
    const shown = listed.get(like);
    const seller = listing && members[listing.seller];
    if (!listing || !shown || !seller) throw new Error(`The demo has no ${like}.`);
    if (listed.has(product_name)) continue;
    const { brand, model_line, screen_inches } = listing.facts;
    await addProduct(depsAt(deps, ago(deps, { hours: 24 * listedDaysAgo })), seller, {
      ...listing,
      product_name,
      resale_price,
      product_categoryId: shown.category_id,
      mobile_number: sellers[listing.seller].mobile_number,
      img: shown.img,
      facts: { brand, model_line, screen_inches },
    });
  }
}

/** Stores past views directly, because a call counts each laptop once. */
export async function storePastViews(deps: Deps): Promise<void> {
  const rows = await deps.db.selectFrom("products").select(["id", "product_name"]).execute();
  const idOf = new Map(rows.map(({ id, product_name }) => [product_name, id]));
  const days = Array.from({ length: firstDay + 1 }, (_, day) => day);
  const stored = listedPeriods.flatMap((laptop) => {
    const product_id = idOf.get(laptop.product_name);
    if (product_id === undefined) return [];
    return days
      .map((day) => ({
        product_id,
        day: ago(deps, { hours: 24 * day })
          .toISOString()
          .slice(0, 10),
        views: viewsOf(laptop, day),
      }))
      .filter(({ views }) => views > 0);
  });
  await deps.db
    .insertInto("product_views")
    .values(stored)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** When each laptop that isn't available again was booked. */
const bookedHoursAgo = new Map(
  bookings
    .filter(({ state }) => liveBookingStates.some((live) => live === state))
    .map((booking) => [booking.product_name, booking.bookedHoursAgo]),
);

/** When each laptop gets views, in days before today. */
export const listedPeriods = [
  ...pastSales.map(({ product_name, listedDaysAgo, soldDaysAgo }) => ({
    product_name,
    advertise: false,
    from: listedDaysAgo,
    to: soldDaysAgo,
  })),
  ...listings.map(({ product_name, advertise, postedDaysAgo }) => ({
    product_name,
    advertise: advertise ?? false,
    from: postedDaysAgo,
    to: Math.floor((bookedHoursAgo.get(product_name) ?? 0) / 24),
  })),
];

const firstDay = Math.max(...listedPeriods.map(({ from }) => from));

function viewsOf(
  { product_name, advertise, from, to }: (typeof listedPeriods)[number],
  day: number,
) {
  if (day > from || day < to) return 0;
  const interest = (advertise ? 12 : 5) + Math.max(0, 9 - 2 * (from - day));
  return Math.floor(interest * fractionOf(`${product_name}, ${day} days ago`));
}

/** Returns a pseudo-random number from 0 to below 1, always the same for the same text. */
function fractionOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}
