import type { Stripe } from "stripe";
import type { Payout, SellerAccount, SellerPayouts, Transfer } from "./port.ts";
import { type CallStripe, isStripeError, listAll, toRefusal } from "./stripe-client.ts";

/** `sellerCountry`: ISO 3166-1 alpha-2. */
type SellerSettings = { sellerCountry: string };

const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = [
  "configuration.recipient",
  "requirements",
];

/** Uses Stripe Connect, with separate charges and transfers (decisions/stripe). */
export function stripePayouts(call: CallStripe, settings: SellerSettings): SellerPayouts {
  return { ...sellerAccounts(call, settings), ...transfers(call), ...payouts(call) };
}

function sellerAccounts(call: CallStripe, { sellerCountry }: SellerSettings) {
  return {
    async createSellerAccount({ memberId, email, idempotencyKey }) {
      const account = {
        contact_email: email,
        metadata: { memberId },
        ...newRecipient(sellerCountry),
        include,
      };
      const { id } = await call("v2.core.account", (stripe) =>
        stripe.v2.core.accounts.create(account, { idempotencyKey }),
      );
      return { accountId: id };
    },

    async readSellerAccount(id) {
      const account = await call("v2.core.account", (stripe) =>
        stripe.v2.core.accounts.retrieve(id, { include }),
      ).catch(unlessUnknown);
      return account && !account.closed ? toSellerAccount(account) : undefined;
    },

    async createOnboardingLink({ accountId, returnUrl, refreshUrl }) {
      const use_case = {
        type: "account_onboarding",
        account_onboarding: { return_url: returnUrl, refresh_url: refreshUrl },
      } as const;
      const { url } = await call("v2.core.account_link", (stripe) =>
        stripe.v2.core.accountLinks.create({ account: accountId, use_case }),
      );
      return { url };
    },
  } satisfies Partial<SellerPayouts>;
}

function transfers(call: CallStripe) {
  return {
    async createTransfer({ idempotencyKey, ...order }) {
      const wanted = {
        amount: order.amountCents,
        currency: order.currency,
        destination: order.accountId,
        transfer_group: order.transferGroup,
        ...(order.sourceCharge !== undefined && { source_transaction: order.sourceCharge }),
        metadata: order.metadata,
      };
      return await call("transfer", (stripe) => stripe.transfers.create(wanted, { idempotencyKey }))
        .then(({ id }) => ({ transferId: id }))
        .catch(toRefusal);
    },

    async findTransfers(transfer_group) {
      const found = await listAll(call, (stripe, page) =>
        stripe.transfers.list({ transfer_group, ...page }),
      );
      return await Promise.all(found.map((transfer) => withAllReversals(call, transfer)));
    },

    async reverseTransfer({ transferId, amountCents: amount, metadata, idempotencyKey }) {
      return await call("transfer_reversal", (stripe) =>
        stripe.transfers.createReversal(transferId, { amount, metadata }, { idempotencyKey }),
      )
        .then(({ id }) => ({ reversalId: id }))
        .catch(toRefusal);
    },

    async readSellerBalance(stripeAccount, currency) {
      const balance = await call("balance", (stripe) =>
        stripe.balance.retrieve({}, { stripeAccount }),
      ).catch(unlessClosed);
      const { available, pending } = balance ?? { available: [], pending: [] };
      const centsOf = (parts: { amount: number; currency: string }[]) =>
        parts.find((part) => part.currency === currency)?.amount ?? 0;
      return { availableCents: centsOf(available), pendingCents: centsOf(pending) };
    },
  } satisfies Partial<SellerPayouts>;
}

function payouts(call: CallStripe) {
  return {
    async listPayouts(stripeAccount) {
      const list = await call("list", (stripe) =>
        stripe.payouts.list({ limit: 50 }, { stripeAccount }),
      ).catch(unlessClosed);
      return list?.data.map(toPayout) ?? [];
    },
  } satisfies Partial<SellerPayouts>;
}

/** With separate charges and transfers, Stripe requires the shop to bear fees and losses. */
function newRecipient(country: string) {
  return {
    dashboard: "express",
    identity: { country },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: {
      responsibilities: { fees_collector: "application", losses_collector: "application" },
    },
  } satisfies Stripe.V2.Core.AccountCreateParams;
}

/** Checks the status, because errors from Stripe's API version 2 have no specific types. */
function unlessUnknown(error: unknown): undefined {
  const isUnknown = error instanceof Error && "statusCode" in error && error.statusCode === 404;
  if (!isUnknown) throw error;
}

function unlessClosed(error: unknown): undefined {
  const isClosed =
    isStripeError(error, "StripePermissionError") && error.code === "account_invalid";
  // An API key without permission also gets a 403, but with another code.
  if (!isClosed) throw error;
}

function toSellerAccount({ configuration, requirements }: Stripe.V2.Core.Account): SellerAccount {
  const balance = configuration?.recipient?.capabilities?.stripe_balance;
  const [transfers, payouts] = [balance?.stripe_transfers, balance?.payouts];
  const hasRequirementsDue = (requirements?.entries ?? []).some(
    ({ awaiting_action_from, minimum_deadline }) =>
      awaiting_action_from === "user" && minimum_deadline.status !== "eventually_due",
  );
  return {
    transfersActive: transfers?.status === "active",
    payoutsEnabled: payouts?.status === "active",
    hasRequirementsDue,
  };
}

/** Stripe includes only the ten newest reversals in a transfer. */
async function withAllReversals(call: CallStripe, transfer: Stripe.Transfer): Promise<Transfer> {
  const { id, reversals } = transfer;
  if (!reversals.has_more) return toTransfer(transfer, reversals.data);
  const all = await listAll(call, (stripe, page) => stripe.transfers.listReversals(id, page));
  return toTransfer(transfer, all);
}

function toTransfer(transfer: Stripe.Transfer, reversals: Stripe.TransferReversal[]): Transfer {
  return {
    id: transfer.id,
    metadata: transfer.metadata,
    amountCents: transfer.amount,
    reversedCents: transfer.amount_reversed,
    reversals: reversals.map((reversal) => ({
      id: reversal.id,
      amountCents: reversal.amount,
      metadata: reversal.metadata ?? {},
    })),
  };
}

function toPayout(payout: Stripe.Payout): Payout {
  return {
    id: payout.id,
    amountCents: payout.amount,
    state: payoutStates[payout.status] ?? "pending",
    createdAt: new Date(payout.created * 1_000),
    arrivesAt: new Date(payout.arrival_date * 1_000),
    failureCode: payout.failure_code ?? undefined,
  };
}

const payoutStates: Record<string, Payout["state"]> = {
  pending: "pending",
  in_transit: "in_transit",
  paid: "paid",
  failed: "failed",
  canceled: "cancelled",
};
