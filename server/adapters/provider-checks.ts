import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { failureReason } from "../http/logging.ts";
import { isTestKey, type StripeKeys } from "../settings/card-payments.ts";
import { isLoopback } from "../settings/production-checks.ts";
import { stripeCards } from "./cards/stripe.ts";
import type { StripeConnection } from "./cards/stripe-client.ts";
import {
  connectProblem,
  eventDestinationProblem,
  requireManualPayouts,
  webhookEndpointProblem,
  webhookPath,
} from "./cards/stripe-setup.ts";
import { hostedServices } from "./hosted-services.ts";
import { smtpMail } from "./mail/smtp.ts";

export type Service = {
  name: string;
  uses: string;
  /** The settings or the document to check if the service fails. */
  settings: string;
  /** May return a remark to print. Undefined for a service that runs only in `npm start`. */
  check: (() => Promise<unknown>) | undefined;
};

const minuteMs = 60_000;
/** Short, because an admin waits for the checks. */
const timeoutSeconds = 5;

/** Checks at most once a minute. Returns the first problem with each of cards, payouts and mail. */
export function providerChecks(config: Config, clock: Clock): Deps["checkProviders"] {
  let last: { at: number; problems: ReturnType<Deps["checkProviders"]> } | undefined;
  return async () => {
    const now = clock.now().getTime();
    if (!last || now - last.at >= minuteMs) last = { at: now, problems: findProblems(config) };
    return await last.problems;
  };
}

async function findProblems(config: Config) {
  const [cards, payouts, mail] = await Promise.all(
    [cardsOf(config), payoutsOf(config), [mailOf(config)]].map(firstProblem),
  );
  return { cards, payouts, mail };
}

async function firstProblem(services: Service[]): Promise<string | undefined> {
  const problems = await Promise.all(
    services.map(({ check, settings }) =>
      Promise.race([check?.(), rejectLater()]).then(
        () => undefined,
        (error: unknown) => `${failureReason(error)}. See ${settings}.`,
      ),
    ),
  );
  return problems.find((problem) => problem !== undefined);
}

async function rejectLater(): Promise<never> {
  await wait(timeoutSeconds * 1_000, undefined, { ref: false });
  throw new Error(`no answer in ${timeoutSeconds} seconds`);
}

/** The first check fails if the key is wrong: it reads an unknown payment and the balance. */
export function cardsOf(config: Config): Service[] {
  const named = { name: "Cards", settings: "STRIPE_SECRET_KEY" };
  if (!config.stripe) return [{ ...named, uses: "sandbox", check: undefined }];
  const { stripe } = hostedServices(config, undefined);
  const mode = isTestKey(stripe.secretKey) ? "test mode" : "live mode";
  const check = async () => {
    const cards = stripeCards(stripe);
    await cards.findIntent("pi_doctor");
    await cards.readBalance("usd");
  };
  return [
    { ...named, uses: `Stripe, ${mode}`, check },
    {
      name: "Cards: webhook",
      uses: `${config.publicUrl}${webhookPath}`,
      settings: "PUBLIC_URL, STRIPE_WEBHOOK_SECRET",
      check: () => requireWebhookEndpoint(config.publicUrl, stripe),
    },
  ];
}

/** Checks that sellers can be paid, and that Stripe leaves their money in the shop's balance. */
export function payoutsOf(config: Config): Service[] {
  if (!config.stripe) return [];
  const { stripe } = hostedServices(config, undefined);
  return [
    {
      name: "Cards: payouts to sellers",
      uses: "Stripe Connect",
      settings: "STRIPE_SECRET_KEY, STRIPE_CONNECT_WEBHOOK_SECRET",
      check: () => requireConnect(config.publicUrl, stripe),
    },
    {
      name: "Cards: own payouts",
      uses: "Stripe's payout schedule",
      settings: "Stripe's payout schedule in docs/operations.md",
      check: () => requireManualPayouts(stripe),
    },
  ];
}

async function requireConnect(
  publicUrl: string,
  stripe: StripeConnection & Pick<StripeKeys, "connectWebhookSecret">,
): Promise<void> {
  const disabled = await connectProblem(stripe);
  if (disabled !== undefined) throw new Error(disabled);
  const command = `Run npm run stripe -- webhook --url ${publicUrl}`;
  const problem = await eventDestinationProblem(stripe, `${publicUrl}${webhookPath}`);
  if (problem !== undefined) throw new Error(`${problem}. ${command}`);
  if (stripe.connectWebhookSecret === undefined)
    throw new Error(
      "STRIPE_CONNECT_WEBHOOK_SECRET is not set, so events about sellers' accounts are refused. It was shown when the event destination was created; delete that in Stripe's dashboard and run npm run stripe -- webhook again to get another",
    );
}

async function requireWebhookEndpoint(publicUrl: string, stripe: StripeConnection): Promise<void> {
  if (isLoopback(new URL(publicUrl).hostname))
    throw new Error("Stripe can't reach this shop, because PUBLIC_URL is not set");
  const problem = await webhookEndpointProblem(stripe, `${publicUrl}${webhookPath}`);
  if (problem !== undefined)
    throw new Error(`${problem}. Run npm run stripe -- webhook --url ${publicUrl}`);
}

export function mailOf(config: Config): Service {
  const named = { name: "Mail", settings: "SMTP_URL" };
  if (config.smtpUrl === undefined) return { ...named, uses: "sandbox", check: undefined };
  const mail = smtpMail(hostedServices(config, undefined).smtp);
  const check = () => mail.check().finally(() => mail.close());
  return { ...named, uses: `SMTP at ${hostOf(config.smtpUrl)}`, check };
}

/** Leaves out the URL's user and password. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
