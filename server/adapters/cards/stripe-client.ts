import type { Stripe } from "stripe";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { limitCalls, limitedFetch, TooManyCalls } from "../limit-calls.ts";
import type { MoneyRefusal } from "./port.ts";

/** For our requests and for events sent to the webhook endpoint. */
export const apiVersion: typeof Stripe.API_VERSION = "2026-09-30.endive";

export type StripeConnection = {
  secretKey: string;
  /** The host of another server with Stripe's API; undefined for Stripe itself. */
  host?: { hostname: string; port: number } | undefined;
  /** For one attempt. */
  timeoutMs?: number;
};

const maxCalls = 100;
const maxAnswerBytes = 1_000_000;

/** Throws `PROVIDER_UNAVAILABLE` for failures, rate limits and objects of another kind. */
export type CallStripe = <T extends { object: string }>(
  kind: T["object"],
  call: (stripe: Stripe) => Promise<T>,
) => Promise<T>;

/** Loads Stripe's client on first use, because loading takes time. */
export function stripeClient(connection: StripeConnection) {
  const limit = limitCalls(maxCalls, { service: "cards", isRefusal });
  let client: Promise<Stripe> | undefined;
  const open = async (): Promise<Stripe> => {
    client ??= createClient(connection);
    return await client;
  };
  const call: CallStripe = async (kind, make) => {
    const stripe = await open();
    return await limit(async () => {
      const answer = await make(stripe);
      if (answer.object !== kind) throw unavailable(new Error(`The answer is no ${kind}.`));
      return answer;
    }).catch(throwIfUnavailable);
  };
  return { open, call };
}

type Page = { limit: number; starting_after?: string };

/** Reads all pages, 50 objects at a time, to stay below `maxAnswerBytes`. */
export async function listAll<T extends { id: string }>(
  call: CallStripe,
  list: (stripe: Stripe, page: Page) => Promise<Stripe.ApiList<T>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let from = {}; ; ) {
    const page = await call("list", (stripe) => list(stripe, { limit: 50, ...from }));
    all.push(...page.data);
    const last = page.data.at(-1);
    if (!page.has_more || !last) return all;
    from = { starting_after: last.id };
  }
}

async function createClient({
  secretKey,
  host,
  timeoutMs = providerTimeouts.cards,
}: StripeConnection): Promise<Stripe> {
  const { default: StripeClient } = await import("stripe");
  const at = host && ({ host: host.hostname, port: host.port, protocol: "http" } as const);
  // Stripe's own client limits neither time nor size once a response has begun.
  const httpClient = StripeClient.createFetchHttpClient(limitedFetch(maxAnswerBytes));
  const limits = { timeout: timeoutMs, maxNetworkRetries: 1, httpClient };
  return new StripeClient(secretKey, { apiVersion, ...limits, telemetry: false, ...at });
}

const failures = ["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"];

/** Whether Stripe rejected the call. A failure or a rate limit is not a rejection. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "type" in error && !isStripeError(error, ...failures);
}

function throwIfUnavailable(error: unknown): never {
  if (error instanceof TooManyCalls || isStripeError(error, ...failures)) throw unavailable(error);
  throw error;
}

function unavailable(cause: unknown): AppError {
  const message =
    "The card provider does not answer just now. Nothing was charged twice; please try again in a minute.";
  return Object.assign(new AppError("PROVIDER_UNAVAILABLE", message), { cause });
}

/**
 * Repeats the call without the key if Stripe replays an error. For a day, Stripe stores its first
 * response to a key, even a failure or an outdated rejection. Two concurrent calls may both take
 * effect, so callers must tolerate duplicates.
 */
export async function callWithKey<T>(
  idempotencyKey: string,
  make: (options: Stripe.RequestOptions) => Promise<T>,
): Promise<T> {
  return await make({ idempotencyKey }).catch((error: unknown) => {
    if (!isReplayed(error)) throw error;
    return make({});
  });
}

function isReplayed(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error) || !("headers" in cause)) return false;
  return Object(cause.headers)["idempotent-replayed"] === "true";
}

/** Compares types without `instanceof`, because Stripe's error classes load only when needed. */
export function isStripeError(
  error: unknown,
  ...types: string[]
): error is Stripe.errors.StripeError {
  return error instanceof Error && "type" in error && types.includes(String(error.type));
}

/** Returns undefined for a rejection with one of these codes; rethrows any other error. */
export function unless(...codes: string[]) {
  return (error: unknown): undefined => {
    const isRefusal = isStripeError(error, "StripeInvalidRequestError");
    if (!isRefusal || !codes.includes(error.code ?? "")) throw error;
  };
}

/** For `catch`: returns Stripe's rejection of a request, and rethrows any other error. */
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
  charge_disputed: "charge_disputed",
  refund_disputed_payment: "charge_disputed",
  charge_already_refunded: "charge_already_refunded",
};
