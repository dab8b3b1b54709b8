/** A product's `sales_status` (specification 4). */
export const salesStatuses = ["available", "booked", "sold"] as const;
export type SalesStatus = (typeof salesStatuses)[number];

/** While `waiting` for approval, a listing is shown only to its seller and admins. */
export const listingStatuses = [...salesStatuses, "waiting"] as const;
export type ListingStatus = (typeof listingStatuses)[number];

export const approval = { from: "waiting", to: "available" } as const satisfies {
  from: ListingStatus;
  to: SalesStatus;
};

export const bookingStates = [
  "held",
  "paid",
  "completed",
  "expired",
  "cancelled",
  "refunded",
] as const;
export type BookingState = (typeof bookingStates)[number];

/** States that claim the product. The database allows one such booking per product. */
export const liveBookingStates = [
  "held",
  "paid",
  "completed",
] as const satisfies readonly BookingState[];

/** The laptop is claimed but not handed over yet. */
export const openBookingStates = ["held", "paid"] as const satisfies readonly BookingState[];

export function isOpenBooking(state: BookingState): boolean {
  return openBookingStates.some((open) => open === state);
}

type Transition = {
  from: readonly BookingState[];
  to: BookingState;
  /** The product's state change in the same transaction. */
  product: { from: SalesStatus; to: SalesStatus };
};

export const hold = {
  to: "held",
  product: { from: "available", to: "booked" },
} as const satisfies Pick<Transition, "to" | "product">;

/** The database rejects all other changes (table `state_transitions`). */
export const bookingTransitions = {
  pay: { from: ["held"], to: "paid", product: { from: "booked", to: "sold" } },
  /** A payment arrives after the hold has ended, while the product is still available. */
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

/** Whether the booking is paid. This stays true after the handover. */
export function isPaid(state: BookingState): boolean {
  return state === "paid" || state === "completed";
}

/** A meeting is a place and time proposed for a handover (decisions/handover). */
export const meetingStates = ["proposed", "agreed", "replaced", "cancelled"] as const;
export type MeetingState = (typeof meetingStates)[number];

export const newMeetingState = "proposed" satisfies MeetingState;

/** The database allows one live meeting per booking. */
export const liveMeetingStates = ["proposed", "agreed"] as const satisfies readonly MeetingState[];

/** `replace`: a side proposes another meeting. `cancel`: a side cancels, or the deal ends. */
export const meetingTransitions = {
  agree: { from: ["proposed"], to: "agreed" },
  replace: { from: liveMeetingStates, to: "replaced" },
  cancel: { from: liveMeetingStates, to: "cancelled" },
} as const satisfies Record<string, { from: readonly MeetingState[]; to: MeetingState }>;

/** Only a full refund changes the state. `refund_failed`: an admin has to take care of it. */
export const paymentStates = ["succeeded", "refund_due", "refunded", "refund_failed"] as const;
export type PaymentState = (typeof paymentStates)[number];

export const refundStates = [
  "refund_due",
  "refunded",
  "refund_failed",
] as const satisfies readonly PaymentState[];

/** A bank may change its decision. An `inquiry` takes no money, and a full refund ends it. */
export const disputeStates = ["inquiry", "open", "won", "lost"] as const;
export type DisputeState = (typeof disputeStates)[number];

/**
 * Derived from the decision and the ledger (docs/money.md). `refunding`: no money is left for the
 * seller, and the shop still owes the buyer.
 */
export const settlementStates = [
  "held",
  "complaint_window",
  "complaint",
  "releasing",
  "released",
  "refunding",
  "refunded",
] as const;
export type SettlementState = (typeof settlementStates)[number];

/** `sent`: refunded by means other than the card. `reversal`: debt collected from a transfer. */
export const moveKinds = ["refund", "sent", "transfer", "reversal"] as const;
export type MoveKind = (typeof moveKinds)[number];

/**
 * `intended`: recorded before the provider is called. `pending`: accepted, not completed.
 * `refused`: another attempt may follow. `failed`: the bank returned the money.
 */
export const moveStates = ["intended", "pending", "made", "refused", "failed"] as const;
export type MoveState = (typeof moveStates)[number];

/** A move whose request got no reply also becomes `refused`, though it may have succeeded. */
export const moveTransitions = {
  accept: { from: ["intended", "refused"], to: "pending" },
  make: { from: ["intended", "refused", "pending"], to: "made" },
  refuse: { from: ["intended"], to: "refused" },
  fail: { from: ["intended", "refused", "pending", "made"], to: "failed" },
} as const satisfies Record<string, { from: readonly MoveState[]; to: MoveState }>;

export const payoutStates = ["pending", "in_transit", "paid", "failed", "cancelled"] as const;
export type PayoutState = (typeof payoutStates)[number];

/** A payout can skip states between our reads. A bank can return one that was already paid. */
export const payoutTransitions = {
  send: { from: ["pending"], to: "in_transit" },
  arrive: { from: ["pending", "in_transit"], to: "paid" },
  fail: { from: ["pending", "in_transit", "paid"], to: "failed" },
  cancel: { from: ["pending", "in_transit"], to: "cancelled" },
} as const satisfies Record<string, { from: readonly PayoutState[]; to: PayoutState }>;

/**
 * `ended`: the laptop was booked, withdrawn or taken down, or its price fell to the offer. Or the
 * buyer or seller left, was suspended or became an admin.
 */
export const offerStates = [
  "open",
  "accepted",
  "declined",
  "countered",
  "withdrawn",
  "expired",
  "ended",
] as const;
export type OfferState = (typeof offerStates)[number];

export const newOfferState = "open" satisfies OfferState;

/** `accept` also holds the laptop, in the same transaction. */
export const offerTransitions = {
  accept: { from: "open", to: "accepted" },
  decline: { from: "open", to: "declined" },
  counter: { from: "open", to: "countered" },
  withdraw: { from: "open", to: "withdrawn" },
  expire: { from: "open", to: "expired" },
  end: { from: "open", to: "ended" },
} as const satisfies Record<string, { from: OfferState; to: OfferState }>;

/**
 * `completed`: the reward was given, or an admin refused it because of the budget. `review`:
 * possible abuse (decisions/rewards).
 */
export const invitationStates = [
  "sent",
  "expired",
  "joined",
  "completed",
  "review",
  "refused",
] as const;
export type InvitationState = (typeof invitationStates)[number];

export const shownInvitationStates = ["sent", "expired", "joined", "completed"] as const;
export type ShownInvitationState = (typeof shownInvitationStates)[number];

export const newInvitationState = {
  mailed: "sent",
  linked: "joined",
} as const satisfies Record<string, InvitationState>;

/** `approve`: an admin sees no abuse. `refuse`: the invitation earns nothing more. */
export const invitationTransitions = {
  expire: { from: ["sent"], to: "expired" },
  join: { from: ["sent"], to: "joined" },
  complete: { from: ["joined"], to: "completed" },
  suspect: { from: ["joined"], to: "review" },
  approve: { from: ["review"], to: "joined" },
  refuse: { from: ["sent", "joined", "review"], to: "refused" },
} as const satisfies Record<string, { from: readonly InvitationState[]; to: InvitationState }>;

export type InvitationTransition = keyof typeof invitationTransitions;
