import type { Stripe } from "stripe";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/provider-timeouts.ts";
import { limitCalls, TooManyCalls } from "../limit-calls.ts";
import { limitedFetch } from "../limited-fetch.ts";

/** The version of Stripe's API that the shop is written for: of requests, and of events at the webhook endpoint. */
export const apiVersion: typeof Stripe.API_VERSION = "2026-09-30.endive";

export type StripeConnection = {
  secretKey: string;
  /** The address of the API, if it is not Stripe itself. */
  host?: { hostname: string; port: number } | undefined;
  /** Timeout of one attempt. */
  timeoutMs?: number;
};

const maxCalls = 100;
const maxAnswerBytes = 1_000_000;

/**
 * Makes a call that answers with this kind of object. Refuses `PROVIDER_UNAVAILABLE` for connection errors, rate
 * limits, failures of the provider and answers that are not of its API.
 */
export type CallStripe = <T extends { object: string }>(
  kind: T["object"],
  call: (stripe: Stripe) => Promise<T>,
) => Promise<T>;

/** Stripe's client, loaded on first use: the library takes a tenth of a second. */
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
  // Its client for Node limits neither the time nor the size of an answer that has begun.
  const httpClient = StripeClient.createFetchHttpClient(limitedFetch(maxAnswerBytes));
  const limits = { timeout: timeoutMs, maxNetworkRetries: 1, httpClient };
  return new StripeClient(secretKey, { apiVersion, ...limits, telemetry: false, ...at });
}

const failures = ["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"];

/** Whether Stripe answered that it will not do what the call asked for. */
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
 * Makes a call with a key. Stripe stores the first answer to a key for a day, also a failure of its own or a refusal
 * that no longer holds: when it repeats such an answer, the call is made without the key. Two calls at once may both be
 * made then, so the work must bear that.
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

/** Compares the type, because the classes are not loaded at the start. */
export function isStripeError(
  error: unknown,
  ...types: string[]
): error is Stripe.errors.StripeError {
  return error instanceof Error && "type" in error && types.includes(String(error.type));
}

/** The code of an error that refuses the request; undefined for any other error. */
export function refusalCode(error: unknown): string | undefined {
  return isStripeError(error, "StripeInvalidRequestError") ? error.code : undefined;
}

/** Ignores refusals with these codes; the caller reads the current state instead. */
export function unless(...codes: string[]) {
  return (error: unknown): undefined => {
    if (codes.includes(refusalCode(error) ?? "")) return;
    throw error;
  };
}
