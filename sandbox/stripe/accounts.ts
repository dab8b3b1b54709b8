import type Stripe from "stripe";
import type { z } from "zod";
import { timestamp } from "./clock.ts";
import { type ApiResponse, badRequest, notFound, V2Error } from "./errors.ts";
import { newId } from "./new-objects.ts";
import type { Account } from "./objects.ts";
import type { createAccountParams, Include } from "./params.ts";
import type { Store } from "./store.ts";

type Balance = NonNullable<
  NonNullable<NonNullable<Account["configuration"]["recipient"]>["capabilities"]>["stripe_balance"]
>;
type Capability = NonNullable<Balance["stripe_transfers"]>;

/** Facts a seller must provide: Stripe's name of each, and the capability that it enables. */
const required = {
  name: ["identity.individual.given_name", "stripe_balance.stripe_transfers"],
  terms: ["identity.attestations.terms_of_service.account", "stripe_balance.stripe_transfers"],
  bank: ["configuration.recipient.default_outbound_destination", "stripe_balance.payouts"],
} as const;

type Requirement = keyof typeof required;

/** `POST /v2/core/accounts`. The account is restricted until its onboarding is finished. */
export function createAccount(
  store: Store,
  wanted: z.output<typeof createAccountParams>,
): ApiResponse {
  requireConnect(store);
  const { contact_email, dashboard, metadata, identity } = wanted;
  const account: Account = {
    id: newId("acct"),
    object: "v2.core.account",
    applied_configurations: ["recipient"],
    closed: false,
    configuration: { recipient: { applied: true, capabilities: { stripe_balance: restricted } } },
    contact_email,
    created: timestamp(),
    dashboard,
    defaults: {
      currency: "usd",
      responsibilities: { ...wanted.defaults.responsibilities, requirements_collector: "stripe" },
    },
    identity,
    livemode: false,
    metadata,
    requirements: requirements(["name", "terms", "bank"]),
  };
  store.put(account);
  return { status: 200, body: withParts(account, wanted.include) };
}

export function requireConnect(store: Store): void {
  if (store.readSetting("connect_off") === 0) return;
  throw new V2Error(400, {
    code: "non_connect_platform_accounts_v2_access_blocked",
    message: "You can only create new accounts if you've signed up for Connect.",
  });
}

/** A response contains these parts of an account only if the request's `include` names them. */
const parts = ["configuration", "defaults", "identity", "requirements"] as const;

export function withParts(account: Account, include: Include[]): object {
  const wanted = new Set(include.map((name) => name.split(".")[0]));
  const left = parts.filter((name) => !wanted.has(name));
  return Object.fromEntries(
    Object.entries(account).filter(([name]) => !(left as readonly string[]).includes(name)),
  );
}

export function findAccount(store: Store, id: string): Account {
  const account = store.find("v2.core.account", id);
  if (!account) throw notFound(`No such account: '${id}'`);
  return account;
}

/** `POST /v2/core/accounts/:id/close`. The account's balance must be zero. */
export function closeAccount(store: Store, id: string, now: number): ApiResponse {
  const account = findAccount(store, id);
  const left = store
    .balances(now, id)
    .filter(({ available, pending }) => available + pending !== 0);
  if (left.length > 0)
    throw badRequest(
      "cannot_delete_account_with_balance",
      "An account with a balance other than zero can't be closed.",
    );
  const closed: Account = { ...account, closed: true };
  store.put(closed);
  return { status: 200, body: withParts(closed, []) };
}

const restrictedCapability: Capability = {
  status: "restricted",
  status_details: [{ code: "requirements_past_due", resolution: "provide_info" }],
};
const restricted = { payouts: restrictedCapability, stripe_transfers: restrictedCapability };
const active: Capability = { status: "active", status_details: [] };

/** Enables transfers and payouts, and removes all requirements. */
export function activate(store: Store, account: Account): void {
  const changed = withCapabilities(account, { payouts: active, stripe_transfers: active });
  saveChange(store, { ...changed, requirements: requirements([]) });
}

/** Stops payouts after the bank rejected one, until the seller enters another bank account. */
export function requireBank(store: Store, account: Account): void {
  const changed = withCapabilities(account, { payouts: restrictedCapability });
  saveChange(store, { ...changed, requirements: requirements(["bank"]) });
}

/** Sets capabilities, as Stripe's staff or checks would. */
export function setCapabilities(
  store: Store,
  account: Account,
  wanted: { [K in keyof Balance]?: Capability["status"] | undefined },
): void {
  const changes = Object.entries(wanted).flatMap(([name, status]) =>
    status === undefined ? [] : [[name, capability(status)] as const],
  );
  saveChange(store, withCapabilities(account, Object.fromEntries(changes)));
}

function capability(status: Capability["status"]): Capability {
  if (status === "active") return active;
  if (status === "restricted") return restrictedCapability;
  const rejected = { code: "rejected_other", resolution: "contact_stripe" } as const;
  const checking = { code: "determining_status", resolution: "no_resolution" } as const;
  return { status, status_details: [status === "rejected" ? rejected : checking] };
}

function saveChange(store: Store, account: Account): void {
  store.put(account);
  const { id } = account;
  const related = { id, type: "v2.core.account", url: `/v2/core/accounts/${id}` };
  for (const type of accountEvents) store.saveThinEvent(type, { account: id, related });
}

const accountEvents = [
  "v2.core.account[configuration.recipient].capability_status_updated",
  "v2.core.account[requirements].updated",
] as const;

function withCapabilities(account: Account, changes: Balance): Account {
  const stripe_balance = { ...balanceCapabilities(account), ...changes };
  const recipient = { applied: true, capabilities: { stripe_balance } };
  return { ...account, configuration: { recipient } };
}

export function balanceCapabilities(account: Account): Balance {
  return account.configuration.recipient?.capabilities?.stripe_balance ?? {};
}

function requirements(due: Requirement[]): Stripe.V2.Core.Account.Requirements {
  const status = "currently_due";
  const entries = due.map((name): Stripe.V2.Core.Account.Requirements.Entry => {
    const [description, restricts] = required[name];
    return {
      awaiting_action_from: "user",
      description,
      errors: [],
      impact: {
        restricts_capabilities: [
          { capability: restricts, configuration: "recipient", deadline: { status } },
        ],
      },
      minimum_deadline: { status },
      requested_reasons: [{ code: "routine_onboarding" }],
    };
  });
  return { entries, summary: due.length > 0 ? { minimum_deadline: { status } } : {} };
}
