import type { Stripe } from "stripe";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/timeouts.ts";
import { limitCalls, limitedFetch, TooManyCalls } from "../limit-calls.ts";

/** The Stripe API version of our requests, and of events at the webhook endpoint. */
export const apiVersion: typeof Stripe.API_VERSION = "2026-09-30.endive";

export type StripeConnection = {
  secretKey: string;
  /** The host of the API; undefined for Stripe itself. */
  host?: { hostname: string; port: number } | undefined;
  /** Timeout of one attempt. */
  timeoutMs?: number;
};

const maxCalls = 100;
const maxAnswerBytes = 1_000_000;

/**
 * Makes a call that returns an object of this kind. Throws `PROVIDER_UNAVAILABLE` for connection
 * errors, rate limits, failures of Stripe, and answers that don't come from Stripe's API.
 */
export type CallStripe = <T extends { object: string }>(
  kind: T["object"],
  call: (stripe: Stripe) => Promise<T>,
) => Promise<T>;

/** Stripe's client, loaded on first use because loading takes a tenth of a second. */
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

async function createClient({
  secretKey,
  host,
  timeoutMs = providerTimeouts.cards,
}: StripeConnection): Promise<Stripe> {
  const { default: StripeClient } = await import("stripe");
  const at = host && ({ host: host.hostname, port: host.port, protocol: "http" } as const);
  // Stripe's HTTP client for Node limits neither time nor size once an answer has begun.
  const httpClient = StripeClient.createFetchHttpClient(limitedFetch(maxAnswerBytes));
  const limits = { timeout: timeoutMs, maxNetworkRetries: 1, httpClient };
  return new StripeClient(secretKey, { apiVersion, ...limits, telemetry: false, ...at });
}

const failures = ["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"];

/** Whether Stripe answered and rejected the request. */
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
 * Makes a call with an idempotency key. Stripe stores the first answer for a day, even a failure or
 * an outdated rejection. If Stripe replays such an answer, the call is repeated without the key.
 * Two concurrent calls may then both take effect, so callers must tolerate duplicates.
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

/** Checks `type` instead of `instanceof`, because Stripe's error classes load only when needed. */
export function isStripeError(
  error: unknown,
  ...types: string[]
): error is Stripe.errors.StripeError {
  return error instanceof Error && "type" in error && types.includes(String(error.type));
}

/** Stripe's error code for a rejected request. Undefined for any other error. */
function refusalCode(error: unknown): string | undefined {
  return isStripeError(error, "StripeInvalidRequestError") ? error.code : undefined;
}

/** Ignores rejections with these codes; the caller reads the current state instead. */
export function unless(...codes: string[]) {
  return (error: unknown): undefined => {
    if (codes.includes(refusalCode(error) ?? "")) return;
    throw error;
  };
}
