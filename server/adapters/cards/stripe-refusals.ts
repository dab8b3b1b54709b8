import type { MoneyRefusal } from "./port.ts";
import { isStripeError } from "./stripe-client.ts";

export function toRefusal(error: unknown): MoneyRefusal {
  // Stripe's library treats a key in use (status 409) as a failure, not as a rejection.
  const cause = error instanceof Error ? error.cause : undefined;
  if (isStripeError(cause, "StripeAPIError") && cause.code === keyInUse)
    return { refused: keyInUse, message: cause.message };
  if (!isStripeError(error, "StripeInvalidRequestError")) throw error;
  return { refused: refusals[error.code ?? ""] ?? "other", message: error.message };
}

const keyInUse = "idempotency_key_in_use";

const refusals: Record<string, MoneyRefusal["refused"]> = {
  balance_insufficient: "balance_insufficient",
  insufficient_funds: "balance_insufficient",
  transfers_not_allowed: "transfers_not_allowed",
  insufficient_capabilities_for_transfer: "transfers_not_allowed",
  payouts_not_allowed: "payouts_not_allowed",
  charge_disputed: "charge_disputed",
  refund_disputed_payment: "charge_disputed",
  charge_already_refunded: "charge_already_refunded",
};
