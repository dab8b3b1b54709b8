import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { createExpiringStore } from "../expiring-store.ts";
import { parseFormBodies } from "../form-encoding.ts";
import { html, page, sendPage } from "../html.ts";
import { activate, findAccount } from "./accounts.ts";
import { nowMs, timestamp } from "./clock.ts";
import { type ApiResponse, badRequest } from "./errors.ts";
import { newId } from "./new-objects.ts";
import type { Account } from "./objects.ts";
import type { createLinkParams } from "./params.ts";
import type { Store } from "./store.ts";
import type { OnboardingLink } from "./store-sellers.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const linkMs = 5 * 60 * 1000;

/** `POST /v2/core/account_links`. The link opens a page at `origin`, the sandbox's own. */
export function createLink(
  store: Store,
  { account: id, use_case }: z.output<typeof createLinkParams>,
  origin: string,
): ApiResponse {
  const account = findAccount(store, id);
  if (account.closed) throw badRequest("account_closed", "This account was closed.");
  const { return_url: returnUrl, refresh_url: refreshUrl } = use_case.account_onboarding;
  const token = randomBytes(24).toString("base64url");
  const expiresAt = nowMs() + linkMs;
  store.addLink({ token, account: id, expiresAt, returnUrl, refreshUrl });
  const body = {
    object: "v2.core.account_link",
    account: id,
    created: timestamp(),
    expires_at: new Date(expiresAt).toISOString(),
    livemode: false,
    url: `${origin}/stripe/onboarding/${token}`,
    use_case,
  };
  return { status: 200, body };
}

const sessionMs = 60 * 60 * 1000;

const finished = z.object({
  given_name: z.string().trim().min(1, "Enter your first name.").max(80),
  surname: z.string().trim().min(1, "Enter your last name.").max(80),
  routing_number: z.string().regex(/^\d{9}$/, "A routing number has 9 digits."),
  account_number: z.string().regex(/^\d{4,17}$/, "An account number has 4 to 17 digits."),
  terms: z.literal("yes", "Accept the agreement."),
});

const goneText = "This page has expired. Go back to the shop and open it again.\n";

type Deps = { store: Store; dispatcher: WebhookDispatcher };
type Request = FastifyRequest<{ Params: { token: string } }>;

/** Serves the page for a seller's name and bank account. Each link works once. */
export async function onboarding(app: FastifyInstance, { store, dispatcher }: Deps): Promise<void> {
  const sessions = createExpiringStore<OnboardingLink>(sessionMs);
  parseFormBodies(app);

  app.get("/stripe/onboarding/:token", async (request: Request, reply) => {
    const link = store.findLink(request.params.token);
    if (!link) return reply.code(404).type("text/plain; charset=utf-8").send(goneText);
    const opens = link.expiresAt > nowMs() && store.takeLink(link.token);
    if (!opens) return reply.redirect(link.refreshUrl, 303);
    return reply.redirect(`/stripe/onboarding/session/${sessions.add(link)}`, 303);
  });

  app.get("/stripe/onboarding/session/:token", async (request: Request, reply) => {
    const link = sessions.find(request.params.token);
    if (!link) return reply.code(404).type("text/plain; charset=utf-8").send(goneText);
    const shown = onboardingPage(findAccount(store, link.account), {});
    return sendPage(reply, shown, new URL(link.returnUrl).origin);
  });

  app.post("/stripe/onboarding/session/:token", async (request: Request, reply) => {
    const link = sessions.find(request.params.token);
    if (!link) return reply.code(404).type("text/plain; charset=utf-8").send(goneText);
    const form = Object(request.body) as Record<string, string>;
    if (form.action === "later") return reply.redirect(link.returnUrl, 303);
    const parsed = finished.safeParse(form);
    if (!parsed.success) {
      const problem = parsed.error.issues[0]?.message;
      const shown = onboardingPage(findAccount(store, link.account), form, problem);
      return sendPage(reply.code(400), shown, new URL(link.returnUrl).origin);
    }
    finish(store, link.account, parsed.data);
    dispatcher.wake();
    return reply.redirect(link.returnUrl, 303);
  });
}

function finish(store: Store, id: string, given: z.output<typeof finished>): void {
  const { given_name, surname, account_number } = given;
  store.transaction(() => {
    store.saveBank(id, {
      id: newId("ba"),
      holder: `${given_name} ${surname}`,
      last4: account_number.slice(-4),
      failure: bankFailureOf(account_number),
    });
    activate(store, findAccount(store, id));
  });
}

/** US test accounts (https://docs.stripe.com/connect/testing). Payouts to all others succeed. */
const testBanks = [
  { number: "000123456789", failure: undefined, says: "Payouts succeed" },
  { number: "000111111116", failure: "no_account", says: "Payouts fail: no account" },
  { number: "000111111113", failure: "account_closed", says: "Payouts fail: account closed" },
  {
    number: "000222222227",
    failure: "insufficient_funds",
    says: "Payouts fail: insufficient funds",
  },
  { number: "000333333335", failure: "debit_not_authorized", says: "Payouts fail: not authorized" },
  { number: "000444444440", failure: "invalid_currency", says: "Payouts fail: invalid currency" },
] as const;

function bankFailureOf(number: string): string | undefined {
  return testBanks.find((bank) => bank.number === number)?.failure;
}

type Filled = Partial<Record<"given_name" | "surname" | "account_number", string>>;

function onboardingPage(account: Account, filled: Filled, problem?: string): string {
  const body = html`<main>
    <p class="brand">Stripe <span>(sandbox)</span></p>
    <h1>Get paid by Secondlap</h1>
    <p>${account.contact_email}</p>
    ${problem === undefined ? undefined : html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" class="fields">
      <fieldset>
        <legend>You</legend>
        <label>First name <input name="given_name" required maxlength="80" value="${filled.given_name ?? ""}"></label>
        <label>Last name <input name="surname" required maxlength="80" value="${filled.surname ?? ""}"></label>
      </fieldset>
      <fieldset>
        <legend>Your bank account</legend>
        <label>Routing number <input name="routing_number" required inputmode="numeric" value="110000000"></label>
        <label>Account number
          <input name="account_number" required inputmode="numeric" list="banks" autocomplete="off"
            value="${filled.account_number ?? "000123456789"}"></label>
        <datalist id="banks">
          ${testBanks.map(({ number, says }) => html`<option value="${number}">${says}</option>`)}
        </datalist>
      </fieldset>
      <label class="check"><input type="checkbox" name="terms" value="yes" required>
        I accept the Connected Account Agreement</label>
      <button class="main" name="action" value="finish">Finish</button>
      <button name="action" value="later" formnovalidate>Finish later</button>
    </form>
    <details>
      <summary>Account numbers for tests</summary>
      <dl>${testBanks.map(({ number, says }) => html`<dt>${number}</dt><dd>${says}</dd>`)}</dl>
    </details>
    <p class="note">This page runs on this machine and keeps only the last four digits. If you set
      Stripe’s keys, Stripe’s own page opens instead.</p>
  </main>`;
  return page({ title: "Get paid (sandbox)", body });
}
