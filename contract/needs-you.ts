import { z } from "zod";
import { call, date, id } from "./call.ts";
import { mayAct, type StaffAccess, type StaffRole } from "./roles.ts";

/** Why money or a deal waits for an admin (docs/money.md). */
export const needsYouReasons = [
  "refund_failed",
  "refund_late",
  "transfer_refused",
  "transferred_twice",
  "balance_too_small",
  "unclaimed",
  "came_back",
  "inquiry",
  "dispute",
  "complaint",
  "return_late",
  "discount",
  "difference",
] as const;
export type NeedsYouReason = (typeof needsYouReasons)[number];

/** Reasons not listed here need `finance`. */
const decidedBy: Partial<Record<NeedsYouReason, StaffAccess>> = {
  complaint: "support",
  return_late: "support",
  discount: "moderation",
};

export function needsYouReasonsFor(role: StaffRole | null): NeedsYouReason[] {
  return needsYouReasons.filter((reason) => mayAct(role, decidedBy[reason] ?? "finance"));
}

export const needsYouItem = z.object({
  reason: z.enum(needsYouReasons),
  /** Null for a ledger difference. */
  bookingId: id.nullable(),
  product_name: z.string().nullable(),
  /** The card provider's id for the payment, second transfer or differing transaction. */
  transactionId: z.string().nullable(),
  /** In dollars. */
  amount: z.number(),
  since: date,
  deadline: date.nullable(),
});

export type NeedsYouItem = z.output<typeof needsYouItem>;

export const maxNeedsYou = 200;

/** Counts for the admins' other queues stop at this number. */
export const maxCounted = 100;

const count = z.number().int().nonnegative();

export const needsYou = z.object({
  items: z.array(needsYouItem),
  /** 0 for queues that the caller may not open. `problems`: those on the Health page. */
  queues: z.object({
    reports: count,
    messages: count,
    reviews: count,
    listings: count,
    invitations: count,
    problems: count,
    firstSteps: count,
  }),
});

export type NeedsYou = z.output<typeof needsYou>;

export const readNeedsYou = call("GET /needsYou", {
  access: "admin",
  summary: `Items that need an admin of the caller's role, soonest deadline first, at most ${maxNeedsYou}, and counts of the other queues`,
  reads: [
    "payments",
    "bookings",
    "complaints",
    "payouts",
    "invitations",
    "members",
    "products",
    "reports",
    "conversationReports",
    "reviewReports",
  ],
  replica: true,
  answers: { 200: needsYou },
});
