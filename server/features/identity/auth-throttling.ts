import { createHash, randomBytes } from "node:crypto";
import type { Limit } from "#contract/call.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { ResetLinks } from "../../adapters/identity/port.ts";
import type { Tx } from "../../db/database.ts";
import { networkOf, type RateLimiter } from "../../db/rate-limiter.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import { isSameHash, keyedHash, keysFor, type Secrets } from "../../keyed-hash.ts";

/** Only the general limit on all requests applies. */
const unlimited = null;

type RouteLimit = Limit & { hashesPassword?: true };

/** Only these routes of the identity service are open. Limits are per network (`networkOf`). */
const limitsByRoute = new Map<string, RouteLimit | null>([
  ["GET /get-session", unlimited],
  ["GET /callback/google", unlimited],
  ["GET /callback/oidc", unlimited],
  ["POST /sign-out", unlimited],
  ["POST /sign-in/email", { max: 300, minutes: 15, hashesPassword: true }],
  ["POST /sign-in/social", { max: 100, minutes: 15 }],
  ["POST /sign-up/email", { max: 100, minutes: 60, hashesPassword: true }],
  ["POST /request-password-reset", { max: 30, minutes: 60 }],
  ["POST /reset-password", { max: 30, minutes: 60, hashesPassword: true }],
  ["POST /two-factor/enable", { max: 100, minutes: 60, hashesPassword: true }],
  ["POST /two-factor/disable", { max: 100, minutes: 60, hashesPassword: true }],
  ["POST /two-factor/generate-backup-codes", { max: 100, minutes: 60, hashesPassword: true }],
  ["POST /two-factor/verify-totp", { max: 300, minutes: 15 }],
  ["POST /two-factor/verify-backup-code", { max: 300, minutes: 15 }],
  ["GET /passkey/generate-register-options", { max: 100, minutes: 60 }],
  ["POST /passkey/verify-registration", { max: 100, minutes: 60 }],
  ["GET /passkey/generate-authenticate-options", { max: 300, minutes: 15 }],
  ["POST /passkey/verify-authentication", { max: 300, minutes: 15 }],
  ["POST /passkey/delete-passkey", { max: 100, minutes: 60 }],
]);

/** Each is a method and a path below `/api/auth`. */
export const clientRoutes = [...limitsByRoute.keys()];

export function hashesPassword(route: string): boolean {
  return limitsByRoute.get(route)?.hashesPassword === true;
}

/**
 * Limits per account. `known`: for each browser that has signed in before. `here` and `anywhere`:
 * for all other browsers, per network and in total.
 */
const guesses = {
  here: { name: "guesses here", max: 10, minutes: 15 },
  known: { name: "guesses in a known browser", max: 20, minutes: 15 },
  anywhere: { name: "guesses anywhere", max: 50, minutes: 60 },
};

type AuthRequest = { route: string; address: string; cookies: string | undefined; body: unknown };

/** Throws `TOO_MANY_REQUESTS`, or `NOT_FOUND` for an unknown route. */
export async function limitRoute(
  rateLimiter: RateLimiter,
  { route, address }: AuthRequest,
): Promise<void> {
  const limit = limitsByRoute.get(route);
  if (limit === undefined) throw new AppError("NOT_FOUND", "We couldn't find that.");
  if (limit) await rateLimiter.consume({ name: route, ...limit }, networkOf(address));
}

type With = { db: Tx; rateLimiter: RateLimiter; devices: KnownDevices; resetLinks: ResetLinks };

type Guess = {
  /** Returns the device cookie. A sign-in also resets the network's or known browser's counter. */
  succeed(): Promise<string>;
  /** Takes back the count of a guess that the server was too busy to check. */
  giveBack(): Promise<void>;
};

/**
 * Counts a sign-in by email as a guess. Returns undefined unless the request signs in or up by
 * email, or resets a password with a known link.
 */
export async function limitGuessing(
  { db, rateLimiter, devices, resetLinks }: With,
  request: AuthRequest,
): Promise<Guess | undefined> {
  const { route, body } = request;
  const uncounted = async () => {};
  if (route === "POST /sign-in/email") return await countGuess({ rateLimiter, devices }, request);
  if (route === "POST /reset-password") {
    const { token } = Object(body) as { token?: unknown };
    const account = typeof token === "string" ? await resetLinks.findAccount(db, token) : undefined;
    if (account === undefined) return undefined;
    return { succeed: async () => await devices.write(account), giveBack: uncounted };
  }
  if (route === "POST /sign-up/email")
    return { succeed: async () => await devices.write(accountIn(body)), giveBack: uncounted };
  return undefined;
}

/** Known browsers have their own limit, so that a stranger's guesses don't lock them out. */
async function countGuess(
  { rateLimiter, devices }: Pick<With, "rateLimiter" | "devices">,
  { address, cookies, body }: AuthRequest,
): Promise<Guess> {
  const account = accountIn(body);
  const device = await devices.read(cookies, account);
  const here = `${networkOf(address)} ${keyOf(account)}`;
  if (device === undefined) {
    await rateLimiter.consume(guesses.here, here);
    await rateLimiter.consume(guesses.anywhere, keyOf(account)).catch(suggestReset);
  } else {
    await rateLimiter.consume(guesses.known, device);
  }
  return {
    async succeed() {
      if (device === undefined) await rateLimiter.reset(guesses.here, here);
      else await rateLimiter.reset(guesses.known, device);
      return await devices.write(account, device);
    },
    async giveBack() {
      if (device !== undefined) return await rateLimiter.giveBack(guesses.known, device);
      await rateLimiter.giveBack(guesses.here, here);
      await rateLimiter.giveBack(guesses.anywhere, keyOf(account));
    },
  };
}

/** At the limit, suggests a reset link, which works despite the limit. */
function suggestReset(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error;
  const sentence =
    "Too many wrong passwords were tried for this account. Use Forget Password? to get in now: the link we mail you lets you set a new one.";
  throw new TooManyRequests(error.retryAfter, sentence);
}

export async function clearFailedSignIns(
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

/** Hashes the email address, so that the counters contain no addresses. */
function keyOf(email: string): string {
  return createHash("sha256").update(email).digest("base64url");
}

type KnownDevices = ReturnType<typeof knownDevices>;

type Settings = Secrets & {
  publicUrl: string;
  /** Changes with the account's password (`Accounts.passwordVersion`). */
  passwordVersion: (account: string) => Promise<string>;
};

/**
 * Device cookies (OWASP), which mark browsers that have signed in to an account before. A new
 * password makes all devices unknown, even those of a stranger who signed up with someone else's
 * address.
 */
export function knownDevices(settings: Settings) {
  const { publicUrl, passwordVersion } = settings;
  const keys = keysFor("known devices", settings);
  const [key] = keys;
  const isSecure = publicUrl.startsWith("https:");
  const cookie = isSecure ? "__Host-secondlap.device" : "secondlap.device";
  return {
    /** Returns the device's id; undefined unless the cookie is signed for this account. */
    async read(cookies = "", account: string) {
      const found = cookies.split("; ").find((one) => one.startsWith(`${cookie}=`));
      if (found === undefined) return undefined;
      const [device = "", signature = ""] = found.slice(cookie.length + 1).split(".");
      const payload = `${device} ${account} ${await passwordVersion(account)}`;
      return keys.some((one) => isSameHash(signature, keyedHash(one, payload)))
        ? device
        : undefined;
    },
    /** Returns a `Set-Cookie` value. The cookie lasts 180 days. */
    async write(account: string, device = randomBytes(16).toString("base64url")) {
      const payload = `${device} ${account} ${await passwordVersion(account)}`;
      const flags = `Path=/; Max-Age=${180 * 86_400}; HttpOnly; SameSite=Strict`;
      return `${cookie}=${device}.${keyedHash(key, payload)}; ${flags}${isSecure ? "; Secure" : ""}`;
    },
  };
}
