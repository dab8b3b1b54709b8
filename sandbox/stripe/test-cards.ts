import type { StripeErrorBody } from "./errors.ts";

export type CardProblem = Required<Pick<StripeErrorBody, "code" | "decline_code" | "message">>;

type Outcome =
  | { result: "approved"; delayMs?: number }
  | { result: "challenged" }
  | { result: "declined"; problem: CardProblem };

type DisputeReason = "fraudulent" | "product_not_received";

export type TestCard = {
  number: string;
  /** The card's ID in server-side test calls. */
  paymentMethod: string;
  brand: "visa" | "mastercard" | "amex";
  outcome: Outcome;
  /** With `inquiry`, the bank asks before it takes the money. `partOf: 4` disputes a quarter. */
  dispute?: { reason: DisputeReason; inquiry: boolean; partOf?: number };
  /** Whether the money is available immediately instead of after two days. */
  isAvailableAtOnce?: true;
  /** `pending` succeeds later. `fails` first succeeds and then fails. */
  refund?: "pending" | "fails";
};

/** Longer than the timeout of the card element's client. */
const LATE_RESPONSE_MS = 30_000;

const declined = (message: string, code: string, decline_code = code): Outcome => ({
  result: "declined",
  problem: { message, code, decline_code },
});

const visa = (number: string, paymentMethod: string, outcome: Outcome): TestCard => ({
  number,
  paymentMethod,
  brand: "visa",
  outcome,
});

type Afterwards = Pick<TestCard, "dispute" | "refund" | "isAvailableAtOnce">;

const approved = (number: string, paymentMethod: string, afterwards: Afterwards): TestCard => ({
  ...visa(number, paymentMethod, { result: "approved" }),
  ...afterwards,
});

/** Stripe's test cards (https://docs.stripe.com/testing) and two of the sandbox's own. */
const testCards: readonly TestCard[] = [
  visa("4242424242424242", "pm_card_visa", { result: "approved" }),
  {
    number: "5555555555554444",
    paymentMethod: "pm_card_mastercard",
    brand: "mastercard",
    outcome: { result: "approved" },
  },
  {
    number: "378282246310005",
    paymentMethod: "pm_card_amex",
    brand: "amex",
    outcome: { result: "approved" },
  },
  visa(
    "4000000000000002",
    "pm_card_visa_chargeDeclined",
    declined("Your card was declined.", "card_declined", "generic_decline"),
  ),
  visa(
    "4000000000009995",
    "pm_card_visa_chargeDeclinedInsufficientFunds",
    declined("Your card has insufficient funds.", "card_declined", "insufficient_funds"),
  ),
  visa(
    "4000000000000069",
    "pm_card_chargeDeclinedExpiredCard",
    declined("Your card has expired.", "expired_card"),
  ),
  visa(
    "4000000000000127",
    "pm_card_chargeDeclinedIncorrectCvc",
    declined("Your card's security code is incorrect.", "incorrect_cvc"),
  ),
  visa(
    "4000000000000119",
    "pm_card_chargeDeclinedProcessingError",
    declined(
      "An error occurred while processing your card. Try again in a little bit.",
      "processing_error",
    ),
  ),
  visa("4000002500003155", "pm_card_authenticationRequiredOnSetup", { result: "challenged" }),
  visa("4000002760003184", "pm_card_authenticationRequired", { result: "challenged" }),
  approved("4000000000000077", "pm_card_bypassPending", { isAvailableAtOnce: true }),
  approved("4000000000000259", "pm_card_createDispute", {
    dispute: { reason: "fraudulent", inquiry: false },
  }),
  approved("4000000000002685", "pm_card_createDisputeProductNotReceived", {
    dispute: { reason: "product_not_received", inquiry: false },
  }),
  approved("4000000000001976", "pm_card_createDisputeInquiry", {
    dispute: { reason: "fraudulent", inquiry: true },
  }),
  approved("4000000000007726", "pm_card_pendingRefund", { refund: "pending" }),
  approved("4000000000005126", "pm_card_refundFail", { refund: "fails" }),
  // Not a Stripe card: the cardholder disputes a quarter of the payment.
  approved("4000000000006405", "pm_card_createPartialDispute", {
    dispute: { reason: "product_not_received", inquiry: false, partOf: 4 },
  }),
  // Not a Stripe card: charges immediately, but responds after the client has timed out.
  visa("4000000000003006", "pm_card_answersLate", {
    result: "approved",
    delayMs: LATE_RESPONSE_MS,
  }),
];

const liveCardDeclined = declined(
  "Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
  "card_declined",
  "test_mode_live_card",
);

/** Other numbers are declined, as in Stripe's test mode. */
export function cardByNumber(number: string): TestCard {
  const found = testCards.find((card) => card.number === number);
  return found ?? visa(number, "pm_card_live", liveCardDeclined);
}

export function afterwardsOf(last4: string): Afterwards {
  return testCards.find((card) => card.number.endsWith(last4)) ?? {};
}

export function cardByPaymentMethod(paymentMethod: string): TestCard | undefined {
  return testCards.find((card) => card.paymentMethod === paymentMethod);
}
