import { z } from "zod";
import { acknowledged, call, id } from "./call.ts";

/** How many weeks an overview looks back, the one under way included. */
export const overviewWeeks = 12;

const count = z.number().int().nonnegative();

/** A week, Monday to Sunday in UTC, by its Monday. */
const week = z.object({ monday: z.iso.date() });

const products = z.object({ available: count, booked: count, sold: count });

/** What a seller sees at a glance; money in dollars, what was given back left out. */
export const sellerOverview = z.object({
  products,
  earned: z.number(),
  /** Oldest first. */
  weeks: z.array(week.extend({ views: count, holds: count, sales: count, earned: z.number() })),
});

export type SellerOverview = z.output<typeof sellerOverview>;

/** What an admin sees at a glance; money in dollars, what was given back left out. */
export const adminOverview = z.object({
  members: z.object({ buyers: count, sellers: count, verified: count }),
  products,
  openReports: count,
  turnover: z.number(),
  /** What was new in each, oldest first. */
  weeks: z.array(
    week.extend({ members: count, listings: count, reports: count, turnover: z.number() }),
  ),
});

export type AdminOverview = z.output<typeof adminOverview>;

export const readSellerOverview = call({
  method: "GET",
  path: "/sellerOverview",
  access: "seller",
  summary: "A seller's views, holds, sales and money, week by week",
  reads: ["products", "bookings", "payments", "views"],
  answers: { 200: sellerOverview },
  refusals: [],
});

export const readAdminOverview = call({
  method: "GET",
  path: "/adminOverview",
  access: "admin",
  summary: "Members, listings, reports and turnover, week by week",
  reads: ["members", "products", "payments", "reports"],
  answers: { 200: adminOverview },
  refusals: [],
});

export const countViews = call({
  method: "POST",
  path: "/productViews",
  access: "public",
  summary: "Say which laptops somebody has looked at; nothing is kept of who (decision 0016)",
  changes: ["views"],
  body: z.object({
    productIds: z
      .array(id, "Say which products were looked at.")
      .min(1, "Say which products were looked at.")
      .max(100, "At most 100 products at once, please."),
  }),
  limit: { most: 30, minutes: 10 },
  answers: { 200: acknowledged },
  refusals: [],
});
