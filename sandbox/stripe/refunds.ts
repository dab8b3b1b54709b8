import { type ApiResponse, invalidRequest, resourceMissing } from "./errors.ts";
import type { Charge, RefundDetails } from "./objects.ts";
import { newRefund } from "./objects.ts";
import { findIntent } from "./payment-intents.ts";
import type { Store } from "./store.ts";

export type WantedRefund = RefundDetails & {
  payment_intent?: string | undefined;
  charge?: string | undefined;
  /** In the currency's smallest unit; defaults to the amount not yet refunded. */
  amount?: number | undefined;
};

/** Refunds a charge fully or in part. Throws if `amount` exceeds what is left. */
export function createRefund(store: Store, wanted: WantedRefund): ApiResponse {
  const charge = chargeToRefund(store, wanted);
  const left = charge.amount - charge.amount_refunded;
  const amount = wanted.amount ?? left;
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: "charge_already_refunded" });
  }
  if (amount > left) {
    const message = `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`;
    throw invalidRequest(message, { param: "amount" });
  }
  if (amount < 1) throw invalidRequest("Invalid positive integer", { param: "amount" });

  const refund = newRefund(charge, amount, wanted);
  const refunded = charge.amount_refunded + amount;
  store.saveWithEvent("refund.created", refund);
  store.saveWithEvent("charge.refunded", {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount,
  });
  return { status: 200, body: refund };
}

function chargeToRefund(store: Store, { payment_intent, charge }: WantedRefund): Charge {
  if (!payment_intent && !charge) {
    throw invalidRequest(
      "One of the following params should be provided: payment_intent or charge.",
    );
  }
  const id = charge ?? findIntent(store, payment_intent ?? "").latest_charge ?? "";
  const found = store.find("charge", id);
  if (charge && !found) throw resourceMissing("charge", charge);
  if (found?.status === "succeeded") return found;
  throw invalidRequest(
    payment_intent
      ? `This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`
      : `Charge ${id} did not succeed, so there is nothing to refund.`,
  );
}

function money(amount: number): string {
  return `$${(amount / 100).toFixed(2)}`;
}
