import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import type { RateLimiter } from "../../db/rate-limiter.ts";
import type { DB } from "../../db/schema.ts";
import type { IdentityHooks } from "./port.ts";
import { twoFactorAfterProvider } from "./provider-two-factor.ts";
import { secondFactorRules } from "./second-factor-rules.ts";

type Settings = {
  publicUrl: string;
  origins: string[];
  rateLimiter: RateLimiter;
  clock: Clock;
  hooks: IdentityHooks;
  shopName: () => string;
};

/** Time limit for the second step after the password. */
const challengeSeconds = 10 * 60;

/**
 * Authenticator apps (TOTP, RFC 6238) with backup codes, and passkeys
 * (decisions/passwords-and-second-factors). Secrets and backup codes are encrypted with `SECRET`.
 */
export function secondFactorPlugins(db: Kysely<DB>, settings: Settings) {
  const { publicUrl, origins, rateLimiter, clock, hooks, shopName } = settings;
  return [
    twoFactor({
      // Read at each set-up, because an owner can change the shop's name.
      get issuer() {
        return shopName();
      },
      // Members who sign in with a provider have no password.
      allowPasswordless: true,
      twoFactorCookieMaxAge: challengeSeconds,
      backupCodeOptions: { amount: 10, storeBackupCodes: "encrypted" },
      accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 15 * 60 },
    }),
    passkey({
      get rpName() {
        return shopName();
      },
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
    secondFactorRules({ db, rateLimiter, hooks }),
    twoFactorAfterProvider({ seconds: challengeSeconds, clock }),
  ];
}

/** WebAuthn requires a host name, not an IP address, so a local site uses localhost. */
function relyingParty(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? "localhost" : hostname;
}

/** Without a PIN, fingerprint or face, a stolen device would be enough to sign in. */
function requireUserVerified(userVerified: boolean | undefined): void {
  if (userVerified) return;
  throw new APIError("BAD_REQUEST", {
    code: "USER_NOT_VERIFIED",
    message:
      "Your device needs a PIN, a fingerprint or face recognition. Set one up and try again.",
  });
}
