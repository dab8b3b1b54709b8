import type Stripe from "stripe";

type Ledger = {
  intents: { id: string; status: string; amount: number }[];
  charges: {
    payment_intent: string;
    status: string;
    amount: number;
    amount_refunded: number;
    billing_details: object;
  }[];
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
  undeliveredEvents: number;
};

export async function readLedger(url: string): Promise<Ledger> {
  return (await (await fetch(`${url}/_control/ledger`)).json()) as Ledger;
}

/** Sends `POST /_control` plus `path` (`sandbox/stripe/control-routes.ts`). */
export async function control(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/_control${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

type Answer = { accountNumber?: string; unfinished?: boolean };

export const onboardingUrls = {
  return_url: "http://127.0.0.1:1/payouts",
  refresh_url: "http://127.0.0.1:1/payouts/again",
};

export const recipient: Stripe.V2.Core.AccountCreateParams = {
  contact_email: "ada@example.com",
  dashboard: "express",
  identity: { country: "us" },
  configuration: {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
  },
  defaults: {
    responsibilities: { fees_collector: "application", losses_collector: "application" },
  },
  include: ["configuration.recipient", "defaults", "identity", "requirements"],
};

export async function onboardingLink(stripe: Stripe, account: string): Promise<string> {
  const use_case = { type: "account_onboarding" as const, account_onboarding: onboardingUrls };
  return (await stripe.v2.core.accountLinks.create({ account, use_case })).url;
}

export async function onboardedAccount(stripe: Stripe, answer?: Answer): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(recipient);
  await onboard(await onboardingLink(stripe, id), answer);
  return id;
}

/** Fills in the onboarding page, like a browser. Returns the URL of the next page. */
export async function onboard(link: string, answer: Answer = {}): Promise<string> {
  const opened = await fetch(link, { redirect: "manual" });
  const page = new URL(opened.headers.get("location") ?? "", link);
  // A used or expired link redirects to the shop.
  if (page.origin !== new URL(link).origin) return page.href;
  const form = {
    given_name: "Ada",
    surname: "Seller",
    routing_number: "110000000",
    terms: "yes",
    account_number: answer.accountNumber ?? "000123456789",
    action: answer.unfinished ? "later" : "finish",
  };
  const init = { method: "POST", body: new URLSearchParams(form), redirect: "manual" } as const;
  const response = await fetch(page, init);
  if (response.status !== 303) throw new Error(`The onboarding page answers ${response.status}.`);
  return response.headers.get("location") ?? "";
}
