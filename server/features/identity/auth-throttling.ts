import { createHash } from "node:crypto";
import type { Limit } from "#contract/call.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { Tx } from "../../db/database.ts";
import { networkOf, type RateLimiter } from "../../db/rate-limits.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import type { KnownDevices } from "./known-devices.ts";
import { accountOfLink } from "./reset-links.ts";

/** Not limited beyond what every call is. */
const freely = null;

/** The identity service's own routes that are let through, and how often one address may ask for each. */
const routes = new Map<string, Limit | null>([
  ["GET /get-session", freely],
  ["GET /callback/google", freely],
  ["POST /sign-out", freely],
  ["POST /sign-in/email", { most: 300, minutes: 15 }],
  ["POST /sign-in/social", { most: 100, minutes: 15 }],
  ["POST /sign-up/email", { most: 100, minutes: 60 }],
  ["POST /request-password-reset", { most: 30, minutes: 60 }],
  ["POST /reset-password", { most: 30, minutes: 60 }],
  ["POST /two-factor/enable", { most: 100, minutes: 60 }],
  ["POST /two-factor/disable", { most: 100, minutes: 60 }],
  ["POST /two-factor/generate-backup-codes", { most: 100, minutes: 60 }],
  ["POST /two-factor/verify-totp", { most: 300, minutes: 15 }],
  ["POST /two-factor/verify-backup-code", { most: 300, minutes: 15 }],
  ["GET /passkey/generate-register-options", { most: 100, minutes: 60 }],
  ["POST /passkey/verify-registration", { most: 100, minutes: 60 }],
  ["GET /passkey/generate-authenticate-options", { most: 300, minutes: 15 }],
  ["POST /passkey/verify-authentication", { most: 300, minutes: 15 }],
  ["POST /passkey/delete-passkey", { most: 100, minutes: 60 }],
]);

/** Wrong passwords for one account: from one address, in one known browser, and from all unknown ones together. */
const guesses = {
  here: { name: "guesses here", most: 10, minutes: 15 },
  known: { name: "guesses in a known browser", most: 20, minutes: 15 },
  anywhere: { name: "guesses anywhere", most: 50, minutes: 60 },
};

type Asking = { route: string; address: string; cookies: string | undefined; body: unknown };

/** Counts who comes to a route of the identity service. Refuses `NOT_FOUND`, `TOO_MANY_REQUESTS`. */
export async function countAsking(
  rateLimiter: RateLimiter,
  { route, address }: Asking,
): Promise<void> {
  const limit = routes.get(route);
  if (limit === undefined) throw new AppError("NOT_FOUND", "There is no such thing.");
  if (limit) await rateLimiter.consume({ name: route, ...limit }, networkOf(address));
}

type With = { db: Tx; rateLimiter: RateLimiter; devices: KnownDevices };

/**
 * What comes before and after a browser is let in to an account by its password: a try is counted, and one
 * that has succeeded makes the browser known, by the cookie that the answer's function gives. Nothing where
 * the route lets nobody in.
 */
export async function countEntry(
  { db, rateLimiter, devices }: With,
  asking: Asking,
): Promise<(() => Promise<string>) | undefined> {
  if (asking.route === "POST /sign-in/email")
    return await countGuess({ rateLimiter, devices }, asking);
  if (asking.route === "POST /reset-password") {
    const account = await accountOfLink(db, asking.body);
    return account === undefined ? undefined : async () => await devices.write(account);
  }
  if (asking.route === "POST /sign-up/email")
    return async () => await devices.write(accountIn(asking.body));
  return undefined;
}

/**
 * Counts a try to sign in, before its password is looked at. Guessing is stopped for the address it comes
 * from and, when it comes from many, for every browser that was never signed in to the account; whoever
 * owns it goes on in theirs.
 */
async function countGuess(
  { rateLimiter, devices }: Pick<With, "rateLimiter" | "devices">,
  { address, cookies, body }: Asking,
): Promise<() => Promise<string>> {
  const account = accountIn(body);
  const device = await devices.read(cookies, account);
  const here = `${networkOf(address)} ${keyOf(account)}`;
  if (device === undefined) {
    await rateLimiter.consume(guesses.here, here);
    await rateLimiter.consume(guesses.anywhere, keyOf(account)).catch(sayHowToGetIn);
  } else {
    await rateLimiter.consume(guesses.known, device);
  }
  return async () => {
    if (device === undefined) await rateLimiter.reset(guesses.here, here);
    else await rateLimiter.reset(guesses.known, device);
    return await devices.write(account, device);
  };
}

/** Whoever sets a new password by a mailed link is known in that browser, so that one always gets in. */
function sayHowToGetIn(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error;
  const sentence =
    "Too many wrong passwords were tried for this account. Use Forget Password? to get in now: the link we mail you lets you set a new one.";
  throw new TooManyRequests(error.retryAfter, sentence);
}

/**
 * After a new password by a mailed link: wrong guesses of before, from wherever and from this very address,
 * are in nobody's way any more.
 */
export async function forgetGuesses(
  rateLimiter: RateLimiter,
  { email, address }: { email: string; address: string | null },
): Promise<void> {
  const account = keyOf(email);
  await rateLimiter.reset(guesses.anywhere, account);
  if (address) await rateLimiter.reset(guesses.here, `${networkOf(address)} ${account}`);
}

function accountIn(body: unknown): string {
  const { email } = Object(body) as { email?: unknown };
  const parsed = emailSchema.safeParse(email);
  if (parsed.success) return parsed.data;
  throw new AppError("INVALID_INPUT", parsed.error.issues[0]?.message ?? "Please check this.");
}

/** Addresses are counted by their hash, so that nobody reads here who tried to sign in. */
function keyOf(email: string): string {
  return createHash("sha256").update(email).digest("base64url");
}
