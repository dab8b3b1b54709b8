import {
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  UnsecuredJWT,
} from "jose";
import { z } from "zod";
import { email as emailSchema } from "#contract/text.ts";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { limitedFetch } from "../limit-calls.ts";
import type { AuthenticatedAccount } from "./port.ts";

export type FirebaseUser = AuthenticatedAccount & {
  /** Precise to the second. Refreshed tokens have the same time. */
  signedInAt: Date;
  signedInWith: string;
  /** Undefined unless the Firebase account is linked to a Google account. */
  googleId: string | undefined;
};

type Settings = {
  projectId: string;
  clock: Clock;
  /** Replaces the URL of Google's public keys in tests. */
  keysUrl?: string | undefined;
  timeoutMs?: number | undefined;
  /** Whether to accept only the Auth emulator's unsigned tokens. */
  emulator?: boolean;
};

const publishedAt =
  "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

const keysMaxAgeMs = 60 * 60_000;

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
    identities: z.object({ "google.com": z.array(z.string()).default([]) }).prefault({}),
  }),
});

/**
 * Returns a function that verifies tokens (firebase.google.com/docs/auth/admin/verify-id-tokens).
 * It also rejects Google sign-ins with an unverified address.
 */
export function firebaseIdTokens({
  projectId,
  clock,
  keysUrl = publishedAt,
  timeoutMs = providerTimeouts.signIn,
  emulator = false,
}: Settings): (token: string) => Promise<FirebaseUser> {
  let keys: { find: JWTVerifyGetKey; until: number } | undefined;
  return async (token) => {
    const now = clock.now();
    const expected = {
      issuer: `https://securetoken.google.com/${projectId}`,
      audience: projectId,
      currentDate: now,
      requiredClaims: ["exp", "iat"],
    };
    if (emulator) return toUser(UnsecuredJWT.decode(token, expected).payload, now);
    if (!keys || now.getTime() >= keys.until)
      keys = { find: publishedKeys(keysUrl, timeoutMs), until: now.getTime() + keysMaxAgeMs };
    const options = { ...expected, algorithms: ["RS256"] };
    return toUser((await jwtVerify(token, keys.find, options)).payload, now);
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
const keySet = z.object({ keys: z.array(z.looseObject({})) });

/** Anyone can send tokens with unknown keys, so these cause at most two fetches a minute. */
function publishedKeys(url: string, timeoutMs: number): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: 30_000,
    [customFetch]: fetchKeys,
  });
}

/** Turns every failure into `UNAVAILABLE`, so that no outage is mistaken for a bad token. */
const fetchKeys: FetchImplementation = async (url, init) => {
  try {
    const response = await fetchAnswer(url, { ...init, redirect: "error" });
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
    return Response.json(keySet.parse(await response.json()));
  } catch (cause) {
    throw signInUnavailable(cause);
  }
};

export function signInUnavailable(cause: unknown): AppError {
  const sentence = "We can't reach our sign-in service right now. Try again in a minute.";
  return Object.assign(new AppError("UNAVAILABLE", sentence), { cause });
}
