import { z } from "zod";
import { acknowledged, call, id } from "./call.ts";

/** Including the current week. */
export const overviewWeeks = 12;

const count = z.number().int().nonnegative();

/** A week in UTC, identified by its Monday. */
const week = z.object({ monday: z.iso.date() });

const products = z.object({ available: count, booked: count, sold: count });

/** `earned` in dollars: the prices of sales minus refunds and our fee. */
export const sellerOverview = z.object({
  products,
  earned: z.number(),
  weeks: z.array(week.extend({ views: count, holds: count, sales: count, earned: z.number() })),
});

export type SellerOverview = z.output<typeof sellerOverview>;

/** Amounts in dollars. The turnover excludes refunds. */
export const adminOverview = z.object({
  members: z.object({ buyers: count, sellers: count, verified: count }),
  products,
  openReports: count,
  turnover: z.number(),
  /** The cost of invitations: discounts, and credit that was spent or can still be spent. */
  promotions: z.number(),
  /** Totals for the listed weeks. */
  fees: z.object({
    earned: z.number(),
    /** The card provider's fees, including those for refunded payments and disputes. */
    charged: z.number(),
    /** Average card fees per sale released in these weeks; null if no sale's fees are known. */
    chargedPerSale: z.number().nullable(),
  }),
  /** Oldest first. Members, listings and reports count only if they are new in that week. */
  weeks: z.array(
    week.extend({ members: count, listings: count, reports: count, turnover: z.number() }),
  ),
});

export type AdminOverview = z.output<typeof adminOverview>;

export const readSellerOverview = call("GET /sellerOverview", {
  access: "seller",
  summary: "A seller's views, holds, sales and earnings by week",
  reads: ["products", "bookings", "payments", "views"],
  answers: { 200: sellerOverview },
});

export const readAdminOverview = call("GET /adminOverview", {
  access: "admin",
  summary: "New members, listings, reports and turnover by week, and the fees",
  reads: ["members", "products", "payments", "reports", "invitations"],
  replica: true,
  answers: { 200: adminOverview },
});

export const countViews = call("POST /productViews", {
  access: "public",
  summary: "Count views of laptops; nothing about the visitor is stored",
  changes: ["views"],
  body: z.object({
    productIds: z
      .array(id, "Send the ids of the products viewed.")
      .min(1, "Send the ids of the products viewed.")
      .max(100, "Send at most 100 products at once."),
  }),
  limit: { max: 30, minutes: 10 },
  answers: { 200: acknowledged },
});
