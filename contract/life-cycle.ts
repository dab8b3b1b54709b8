/** The states of a product's `sales_status` (contract, "States"). */
export const salesStatuses = ["available", "booked", "sold"] as const;
export type SalesStatus = (typeof salesStatuses)[number];

/** The states of a booking (contract, "States"). */
export const bookingStates = [
  "held",
  "paid",
  "completed",
  "expired",
  "cancelled",
  "refunded",
] as const;
export type BookingState = (typeof bookingStates)[number];

/** A booking in one of these keeps its product from everybody else; the database allows one per product. */
export const liveBookingStates = [
  "held",
  "paid",
  "completed",
] as const satisfies readonly BookingState[];

type Transition = {
  from: readonly BookingState[];
  to: BookingState;
  /** What becomes of the product in the same transaction. */
  product: { from: SalesStatus; to: SalesStatus };
};

/** How a booking begins: by holding a product that is available. */
export const hold = {
  to: "held",
  product: { from: "available", to: "booked" },
} as const satisfies Pick<Transition, "to" | "product">;

/** Every change of state there is; the verbs carry them out, and the database takes no other. */
export const bookingTransitions = {
  pay: { from: ["held"], to: "paid", product: { from: "booked", to: "sold" } },
  /** Money that came late takes the laptop back while it is free. */
  reclaim: {
    from: ["expired", "cancelled"],
    to: "paid",
    product: { from: "available", to: "sold" },
  },
  complete: { from: ["paid"], to: "completed", product: { from: "sold", to: "sold" } },
  expire: { from: ["held"], to: "expired", product: { from: "booked", to: "available" } },
  cancel: { from: ["held"], to: "cancelled", product: { from: "booked", to: "available" } },
  refund: { from: ["paid"], to: "refunded", product: { from: "sold", to: "available" } },
} as const satisfies Record<string, Transition>;

export type BookingTransition = keyof typeof bookingTransitions;

/** The specification's `paid`: true from `paid` on, also once the laptop is handed over. */
export function isPaid(state: BookingState): boolean {
  return state === "paid" || state === "completed";
}

/** The states of money that has arrived (decision 0005). */
export const paymentStates = ["succeeded", "refund_due", "refunded"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Those of money that is not kept. */
export const refundStates = ["refund_due", "refunded"] as const satisfies readonly PaymentState[];

/** How money begins: kept for a laptop, or due to go back where the booking can't be honoured. */
export const newPaymentState = {
  fulfilled: "succeeded",
  late: "refund_due",
} as const satisfies Record<string, PaymentState>;

/** How money moves on: `giveBack` when a booking is refunded, `refund` once the provider has done it. */
export const paymentTransitions = {
  giveBack: { from: "succeeded", to: "refund_due" },
  refund: { from: "refund_due", to: "refunded" },
} as const satisfies Record<string, { from: PaymentState; to: PaymentState }>;
