import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type { Kysely } from "kysely";
import type { RateLimiter } from "../../db/rate-limits.ts";
import type { DB } from "../../db/schema.ts";
import { requireSecondStepAfterGoogle } from "./google-second-step.ts";
import { secondFactorRules } from "./second-factor-rules.ts";

type Settings = { publicUrl: string; origins: string[]; rateLimiter: RateLimiter };

/** How long the second step may take after the password, in seconds. */
const challengeSeconds = 10 * 60;

/**
 * Codes of authenticator apps (RFC 6238) with backup codes, passkeys, and our own rules for both (decision
 * 0022). Secrets and backup codes are stored encrypted under `SECRET`.
 */
export function secondFactors(db: Kysely<DB>, { publicUrl, origins, rateLimiter }: Settings) {
  return [
    twoFactor({
      issuer: "Secondlap",
      // Whoever signs in with Google has no password to ask for.
      allowPasswordless: true,
      twoFactorCookieMaxAge: challengeSeconds,
      backupCodeOptions: { amount: 10, storeBackupCodes: "encrypted" },
      accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 15 * 60 },
    }),
    passkey({
      rpName: "Secondlap",
      rpID: relyingParty(publicUrl),
      origin: origins,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      registration: {
        async afterVerification({ verification }) {
          requireUserVerified(verification.registrationInfo?.userVerified);
        },
      },
      authentication: {
        async afterVerification({ verification }) {
          requireUserVerified(verification.authenticationInfo.userVerified);
        },
      },
      advanced: { webAuthnChallengeCookie: "passkey" },
    }),
    secondFactorRules(db, rateLimiter),
    requireSecondStepAfterGoogle(challengeSeconds),
  ];
}

/** A passkey belongs to a host name; browsers refuse addresses, so on one's own machine it is localhost. */
function relyingParty(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? "localhost" : hostname;
}

/** Without a PIN or fingerprint a passkey is one factor only: whoever has the device has the account. */
function requireUserVerified(userVerified: boolean | undefined): void {
  if (userVerified) return;
  throw new APIError("BAD_REQUEST", {
    code: "USER_NOT_VERIFIED",
    message:
      "Your device has to ask for a PIN, a fingerprint or your face. Set one up and try again.",
  });
}
