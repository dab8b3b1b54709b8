import Stripe from "stripe";
import { onboard } from "#sandbox/testing/onboarding.ts";
import { transferGroupOf } from "../adapters/cards/port.ts";
import type { Sandbox } from "../adapters/sandbox-process.ts";
import { sandboxKeys } from "../settings/production-checks.ts";

/** Actions at the sandbox's Stripe that do not go through the shop. */
export type CardProvider = {
  /** Confirms an intent as the browser's card fields do. Returns its status. */
  pay(intentId: string, card?: string): Promise<string>;
  /** Like a refund in Stripe's dashboard. Without `cents`, refunds the rest of the payment. */
  refund(intentId: string, cents?: number): Promise<void>;
  /** Sends Stripe's test evidence, which determines the bank's decision. */
  answerDispute(
    intentId: string,
    evidence: "winning_evidence" | "losing_evidence" | "undecided_evidence",
  ): Promise<void>;
  /** Makes the buyer's bank decide the refunds that `holdRefundOutcomes` held back. */
  answerRefunds(intentId: string): Promise<void>;
  flipDispute(intentId: string): Promise<void>;
  openDispute(intentId: string, cents: number): Promise<void>;
  /** Like a reversal in Stripe's dashboard. */
  reverseTransfer(bookingId: string, cents: number): Promise<void>;
  /** Makes the bank return a refund. */
  failRefund(refundId: string): Promise<void>;
  /**
   * Fills in Stripe's onboarding form, and returns the next page's URL. For account numbers, see
   * `sandbox/stripe/onboarding.ts`.
   */
  onboard: typeof onboard;
  setCapabilities(account: string, statuses: Capabilities): Promise<void>;
  /** The account's balance must be empty. */
  closeAccount(account: string): Promise<void>;
  /** Moves Stripe's clock: money becomes available, and payouts are made and arrive. */
  advanceClock(days: number): Promise<void>;
  ledger(): Promise<Ledger>;
  evidenceOf(disputeId: string): Promise<{ text: string | null; picture: Buffer | undefined }>;
  /** Replaces the injected faults (`sandbox/stripe/fault-injection.ts`); `{}` removes them. */
  injectFaults(faults: object): Promise<void>;
};

type Capabilities = Partial<
  Record<"stripe_transfers" | "payouts", "active" | "pending" | "rejected" | "restricted">
>;

type Ledger = {
  intents: { id: string; status: string; amount: number }[];
  charges: { payment_intent: string; status: string; amount: number; amount_refunded: number }[];
  refunds: { id: string; payment_intent: string; amount: number; status: string }[];
  disputes: { id: string; payment_intent: string; amount: number; status: string }[];
  transfers: {
    id: string;
    amount: number;
    amount_reversed: number;
    destination: string;
    transfer_group: string | null;
  }[];
  files: { id: string }[];
  balanceTransactions: { id: string; type: string; amount: number; fee: number; source: string }[];
};

export function cardsOf({ sandbox }: { sandbox: Sandbox | undefined }): CardProvider {
  return cardProvider(sandbox?.url ?? "");
}

export function stripeAt(url: string): Stripe {
  const { hostname: host, port } = new URL(url);
  return new Stripe(sandboxKeys.secretKey, { host, port: Number(port), protocol: "http" });
}

export function cardProvider(url: string): CardProvider {
  const stripe = stripeAt(url);
  return {
    async pay(intentId, card = "pm_card_visa") {
      return (await stripe.paymentIntents.confirm(intentId, { payment_method: card })).status;
    },
    async refund(intentId, cents) {
      await stripe.refunds.create({
        payment_intent: intentId,
        ...(cents !== undefined && { amount: cents }),
      });
    },
    async answerDispute(intentId, uncategorized_text) {
      const [dispute] = (await stripe.disputes.list({ payment_intent: intentId })).data;
      await stripe.disputes.update(dispute?.id ?? "", { evidence: { uncategorized_text } });
    },
    async evidenceOf(disputeId) {
      const { evidence } = await stripe.disputes.retrieve(disputeId);
      const { uncategorized_file: file, uncategorized_text: text } = evidence;
      if (file === null) return { text, picture: undefined };
      const headers = { authorization: `Bearer ${sandboxKeys.secretKey}` };
      const contents = await fetch(`${url}/v1/files/${String(file)}/contents`, { headers });
      return { text, picture: Buffer.from(await contents.arrayBuffer()) };
    },
    async flipDispute(intentId) {
      const [dispute] = (await stripe.disputes.list({ payment_intent: intentId })).data;
      await control("/disputes/flip", { id: dispute?.id });
    },
    openDispute: (payment_intent, amount) => control("/disputes", { payment_intent, amount }),
    async reverseTransfer(bookingId, amount) {
      const group = { transfer_group: transferGroupOf(bookingId) };
      const [transfer] = (await stripe.transfers.list(group)).data;
      await stripe.transfers.createReversal(transfer?.id ?? "", { amount });
    },
    failRefund: (id) => control("/refunds/fail", { id }),
    onboard,
    setCapabilities: (account, statuses) => control("/capabilities", { account, ...statuses }),
    async closeAccount(account) {
      await stripe.v2.core.accounts.close(account, { applied_configurations: ["recipient"] });
    },
    advanceClock: (days) => control("/clock", { advanceSeconds: days * 24 * 60 * 60 }),
    async ledger() {
      return (await (await fetch(`${url}/_control/ledger`)).json()) as Ledger;
    },
    answerRefunds: (payment_intent) => control("/refund-outcomes", { payment_intent }),
    injectFaults: (faults) => control("", faults),
  };

  async function control(path: string, body: object): Promise<void> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${url}/_control${path}`, init);
    if (!answer.ok) throw new Error(await answer.text());
  }
}
