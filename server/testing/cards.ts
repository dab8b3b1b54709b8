import Stripe from "stripe";
import {
  control as controlSandbox,
  onboard,
  readLedger,
} from "#sandbox/testing/control-sandbox.ts";
import { transferGroupOf } from "../adapters/cards/port.ts";
import type { Sandbox } from "../adapters/sandbox-process.ts";
import { sandboxKeys } from "../settings/production-checks.ts";

type Capabilities = Partial<
  Record<"stripe_transfers" | "payouts", "active" | "pending" | "rejected" | "restricted">
>;

export function cardsOf({ sandbox }: { sandbox: Sandbox | undefined }): CardProvider {
  return cardProvider(sandbox?.url ?? "");
}

export function stripeAt(url: string): Stripe {
  const { hostname: host, port } = new URL(url);
  return new Stripe(sandboxKeys.secretKey, { host, port: Number(port), protocol: "http" });
}

export type CardProvider = ReturnType<typeof cardProvider>;

/** Actions at the sandbox's Stripe that do not go through the shop. */
export function cardProvider(url: string) {
  const stripe = stripeAt(url);
  const control = (path: string, body: object) => controlSandbox(url, path, body);
  return {
    /** Confirms an intent as the browser's card fields do. Returns its status. */
    async pay(intentId: string, card = "pm_card_visa"): Promise<string> {
      return (await stripe.paymentIntents.confirm(intentId, { payment_method: card })).status;
    },
    /** Like a refund in Stripe's dashboard. Without `cents`, refunds the rest of the payment. */
    async refund(intentId: string, cents?: number): Promise<void> {
      await stripe.refunds.create({
        payment_intent: intentId,
        ...(cents !== undefined && { amount: cents }),
      });
    },
    /** Sends Stripe's test evidence, which determines the bank's decision. */
    async answerDispute(
      intentId: string,
      uncategorized_text: "winning_evidence" | "losing_evidence" | "undecided_evidence",
    ): Promise<void> {
      await stripe.disputes.update(await disputeOf(intentId), { evidence: { uncategorized_text } });
    },
    async evidenceOf(disputeId: string) {
      const { evidence } = await stripe.disputes.retrieve(disputeId);
      const { uncategorized_file: file, uncategorized_text: text } = evidence;
      if (file === null) return { text, picture: undefined };
      const headers = { authorization: `Bearer ${sandboxKeys.secretKey}` };
      const contents = await fetch(`${url}/v1/files/${String(file)}/contents`, { headers });
      return { text, picture: Buffer.from(await contents.arrayBuffer()) };
    },
    async flipDispute(intentId: string): Promise<void> {
      await control("/disputes/flip", { id: await disputeOf(intentId) });
    },
    openDispute: (payment_intent: string, amount: number) =>
      control("/disputes", { payment_intent, amount }),
    /** Like a reversal in Stripe's dashboard. */
    async reverseTransfer(bookingId: string, amount: number): Promise<void> {
      const group = { transfer_group: transferGroupOf(bookingId) };
      const [transfer] = (await stripe.transfers.list(group)).data;
      await stripe.transfers.createReversal(transfer?.id ?? "", { amount });
    },
    /** Makes the bank return a refund. */
    failRefund: (id: string) => control("/refunds/fail", { id }),
    /**
     * Fills in Stripe's onboarding form, and returns the next page's URL. For account numbers, see
     * `sandbox/stripe/onboarding.ts`.
     */
    onboard,
    setCapabilities: (account: string, statuses: Capabilities) =>
      control("/capabilities", { account, ...statuses }),
    /** The account's balance must be empty. */
    async closeAccount(account: string): Promise<void> {
      await stripe.v2.core.accounts.close(account, { applied_configurations: ["recipient"] });
    },
    /** Moves Stripe's clock: money becomes available, and payouts are made and arrive. */
    advanceClock: (days: number) => control("/clock", { advanceSeconds: days * 24 * 60 * 60 }),
    ledger: () => readLedger(url),
    /** Like the payout schedule in Stripe's dashboard. */
    setAutomaticPayouts: (isAutomatic: boolean) => control("/payout-schedule", { isAutomatic }),
    setConnect: (enabled: boolean) => control("/connect", { enabled }),
    /** Makes the buyer's bank decide the refunds that `holdRefundOutcomes` held back. */
    answerRefunds: (payment_intent: string) => control("/refund-outcomes", { payment_intent }),
    /** Replaces the injected faults (`sandbox/stripe/fault-injection.ts`); `{}` removes them. */
    injectFaults: (faults: object) => control("", faults),
  };

  async function disputeOf(payment_intent: string): Promise<string> {
    return (await stripe.disputes.list({ payment_intent })).data[0]?.id ?? "";
  }
}
