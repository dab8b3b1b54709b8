import {
  createLocalJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  UnsecuredJWT,
} from "jose";
import { z } from "zod";
import { email as emailSchema } from "#contract/text.ts";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/timeouts.ts";
import { limitedFetch } from "../limit-calls.ts";

export type FirebaseUser = {
  uid: string;
  email: string;
  name: string;
  emailVerified: boolean;
  /** To the second. Refreshed tokens keep this time. */
  signedInAt: Date;
  /** Such as `password` or `google.com`. */
  signedInWith: string;
  /** Set if the user has ever signed in with Google. */
  googleId: string | undefined;
};

type Settings = {
  projectId: string;
  clock: Clock;
  /** Replaces the URL of Google's public keys in tests. */
  keysUrl?: string | undefined;
  timeoutMs?: number | undefined;
  /** Accepts only the Auth emulator's unsigned tokens. */
  emulator?: boolean;
};

const publishedAt =
  "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

/** How far Google's clock may be ahead of ours. */
const clockSkewSeconds = 60;

const claims = z.object({
  sub: z.string().min(1).max(128),
  auth_time: z.number().int(),
  email: emailSchema,
  email_verified: z.boolean().default(false),
  name: z.string().default(""),
  firebase: z.object({
    sign_in_provider: z.string(),
    identities: z.object({ "google.com": z.array(z.string()).default([]) }).default({
      "google.com": [],
    }),
  }),
});

/**
 * Throws unless the token is genuine (firebase.google.com/docs/auth/admin/verify-id-tokens), and
 * for a Google sign-in with an unverified address.
 */
export function firebaseIdTokens({
  projectId,
  clock,
  keysUrl = publishedAt,
  timeoutMs = providerTimeouts.signIn,
  emulator = false,
}: Settings): (token: string) => Promise<FirebaseUser> {
  const keys = publishedKeys(keysUrl, { clock, timeoutMs });
  return async (token) => {
    const expected = {
      issuer: `https://securetoken.google.com/${projectId}`,
      audience: projectId,
      currentDate: clock.now(),
      requiredClaims: ["exp", "iat"],
    };
    const payload = emulator
      ? UnsecuredJWT.decode(token, expected).payload
      : (await jwtVerify(token, keys, { ...expected, algorithms: ["RS256"] })).payload;
    return toUser(payload, clock.now());
  };
}

function toUser(payload: JWTPayload, now: Date): FirebaseUser {
  const { sub: uid, email, name, email_verified: emailVerified, ...rest } = claims.parse(payload);
  const latest = now.getTime() / 1_000 + clockSkewSeconds;
  if (Number(payload.iat) > latest || rest.auth_time > latest)
    throw new Error("The times of the token are wrong.");
  const { sign_in_provider: signedInWith, identities } = rest.firebase;
  if (signedInWith === "google.com" && !emailVerified)
    throw new Error("Google has not verified the address.");
  const signedInAt = new Date(rest.auth_time * 1_000);
  const [googleId] = identities["google.com"];
  return { uid, email, name, emailVerified, signedInAt, signedInWith, googleId };
}

const fetchAnswer = limitedFetch(1_000_000);
/** Minimum time between fetches, because anyone can send a token with an unknown key. */
const cooldownMs = 30_000;

type KeySet = { find: JWTVerifyGetKey; fetchedAt: number; until: number };

/** Caches the keys as long as `cache-control` says. Throws `UNAVAILABLE` if they can't be read. */
function publishedKeys(
  url: string,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): JWTVerifyGetKey {
  let current: KeySet | undefined;
  let fetching: Promise<KeySet> | undefined;
  return async (header, token) => {
    const now = clock.now().getTime();
    const known = current && now < current.until ? current : await fetchAgain(now);
    try {
      return await known.find(header, token);
    } catch (error) {
      const isTooSoon = now - known.fetchedAt < cooldownMs;
      if (!(error instanceof errors.JWKSNoMatchingKey) || isTooSoon) throw error;
      return await (await fetchAgain(now)).find(header, token);
    }
  };

  async function fetchAgain(now: number): Promise<KeySet> {
    fetching ??= fetchKeys(url, { now, timeoutMs }).finally(() => {
      fetching = undefined;
    });
    current = await fetching;
    return current;
  }
}

async function fetchKeys(
  url: string,
  { now, timeoutMs }: { now: number; timeoutMs: number },
): Promise<KeySet> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetchAnswer(url, { redirect: "error", signal });
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
    const [, seconds] = /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "") ?? [];
    const find = createLocalJWKSet(JSON.parse(await response.text()));
    return { find, fetchedAt: now, until: now + Number(seconds ?? 0) * 1_000 };
  } catch (cause) {
    throw signInUnavailable(cause);
  }
}

export function signInUnavailable(cause: unknown): AppError {
  const sentence = "We can't reach our sign-in service right now. Try again in a minute.";
  return Object.assign(new AppError("UNAVAILABLE", sentence), { cause });
}
