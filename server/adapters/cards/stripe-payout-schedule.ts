import { type StripeConnection, stripeClient } from "./stripe-client.ts";

/** Checks that Stripe doesn't pay out the shop's balance by itself. Returns the problem, if any. */
export async function payoutScheduleProblem(
  connection: StripeConnection,
): Promise<string | undefined> {
  const { call } = stripeClient(connection);
  const { payments } = await call("balance_settings", (stripe) =>
    stripe.balanceSettings.retrieve(),
  );
  const interval = payments.payouts?.schedule?.interval ?? "manual";
  return interval === "manual"
    ? undefined
    : `Stripe pays out your balance by itself (${interval}), with buyers' money in it. Set it to manual in Stripe's dashboard, under Settings, Payouts`;
}
