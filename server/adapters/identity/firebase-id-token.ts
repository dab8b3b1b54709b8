import { createRemoteJWKSet, type JWTPayload, jwtVerify, UnsecuredJWT } from "jose";
import { z } from "zod";
import { email as emailSchema } from "#contract/text.ts";
import type { Clock } from "../../clock.ts";

export type FirebaseUser = {
  uid: string;
  email: string;
  name: string;
  emailVerified: boolean;
  /** When the user signed in; refreshed tokens keep it. */
  signedInAt: Date;
};

type Settings = {
  projectId: string;
  clock: Clock;
  /** Where Google publishes the keys; another address in tests. */
  keysUrl?: string;
  /** Accepts the unsigned tokens of the Auth emulator, and no others. */
  emulator?: boolean;
};

const publishedKeys =
  "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

const claims = z.object({
  sub: z.string().min(1).max(128),
  auth_time: z.number().int(),
  email: emailSchema,
  email_verified: z.boolean().default(false),
  name: z.string().default(""),
  firebase: z.object({ sign_in_provider: z.string() }),
});

/**
 * Verifies ID tokens of Firebase Auth by signature, issuer, audience and times
 * (firebase.google.com/docs/auth/admin/verify-id-tokens). The returned function throws unless the token is
 * genuine and, for Google, the address verified. Keys are kept for ten minutes; an unknown one is fetched.
 */
export function firebaseIdTokens({
  projectId,
  clock,
  keysUrl = publishedKeys,
  emulator = false,
}: Settings): (token: string) => Promise<FirebaseUser> {
  const keys = createRemoteJWKSet(new URL(keysUrl));
  return async (token) => {
    const expected = {
      issuer: `https://securetoken.google.com/${projectId}`,
      audience: projectId,
      currentDate: clock.now(),
    };
    const payload = emulator
      ? readUnsigned(token, expected)
      : (await jwtVerify(token, keys, { ...expected, algorithms: ["RS256"] })).payload;
    return toUser(payload, clock.now());
  };
}

function readUnsigned(token: string, expected: Parameters<typeof UnsecuredJWT.decode>[1]) {
  return UnsecuredJWT.decode(token, expected).payload;
}

function toUser(payload: JWTPayload, now: Date): FirebaseUser {
  const { sub: uid, email, name, email_verified: emailVerified, ...rest } = claims.parse(payload);
  const { exp, iat } = payload;
  const seconds = now.getTime() / 1_000;
  if (exp === undefined || iat === undefined || iat > seconds || rest.auth_time > seconds)
    throw new Error("The times of the token are wrong.");
  if (rest.firebase.sign_in_provider === "google.com" && !emailVerified)
    throw new Error("Google has not verified the address.");
  return { uid, email, name, emailVerified, signedInAt: new Date(rest.auth_time * 1_000) };
}
