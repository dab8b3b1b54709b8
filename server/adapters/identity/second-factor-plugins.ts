import { passkey } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { deleteSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import { twoFactor } from "better-auth/plugins";
import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import type { RateLimiter } from "../../db/rate-limiter.ts";
import type { DB } from "../../db/schema.ts";
import type { IdentityHooks } from "./port.ts";
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

/** TOTP (RFC 6238), backup codes and passkeys (decisions/passwords-and-second-factors). */
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

/** Starts the challenge that the plugin's `index.mjs` starts only after a password. */
function twoFactorAfterProvider({ seconds, clock }: { seconds: number; clock: Clock }) {
  return {
    id: "provider-two-factor",
    hooks: {
      after: [
        {
          matcher: ({ path }) => path === "/callback/:id",
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, internalAdapter } = ctx.context;
            if (newSession?.user.twoFactorEnabled !== true) return;
            deleteSessionCookie(ctx, true);
            await internalAdapter.deleteSession(newSession.session.token);
            ctx.context.setNewSession(null);
            const identifier = `2fa-${generateRandomString(20)}`;
            const expiresAt = new Date(clock.now().getTime() + seconds * 1_000);
            const challenge = { identifier, value: newSession.user.id, expiresAt };
            const attempts = { identifier: `2fa-attempts-${identifier}`, value: "0", expiresAt };
            await internalAdapter.createVerificationValue(challenge);
            await internalAdapter.createVerificationValue(attempts);
            const cookie = ctx.context.createAuthCookie("two_factor", { maxAge: seconds });
            await ctx.setSignedCookie(
              cookie.name,
              identifier,
              ctx.context.secret,
              cookie.attributes,
            );
            throw ctx.redirect(withError(ctx.context.responseHeaders?.get("location")));
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

function withError(location: string | null | undefined): string {
  const [path = "", query = ""] = (location ?? "/auth/done").split("?");
  const params = new URLSearchParams(query);
  params.set("error", "second_step_required");
  return `${path}?${params}`;
}
