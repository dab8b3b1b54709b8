import { passkey } from "@better-auth/passkey";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { type TwoFactorOptions, twoFactor } from "better-auth/plugins";
import type { Kysely } from "kysely";
import type { RateLimiter } from "../../db/rate-limiter.ts";
import type { DB } from "../../db/schema.ts";
import type { IdentityHooks } from "./port.ts";
import { secondFactorRules } from "./second-factor-rules.ts";

type Settings = {
  publicUrl: string;
  origins: string[];
  rateLimiter: RateLimiter;
  hooks: IdentityHooks;
  shopName: () => string;
};

/** TOTP (RFC 6238), backup codes and passkeys (decisions/passwords-and-second-factors). */
export function secondFactorPlugins(db: Kysely<DB>, settings: Settings) {
  const { publicUrl, origins, rateLimiter, hooks, shopName } = settings;
  return [
    twoFactorAfterProvidersToo({
      // Read at each set-up, because an owner can change the shop's name.
      get issuer() {
        return shopName();
      },
      // Members who sign in with a provider have no password.
      allowPasswordless: true,
      twoFactorCookieMaxAge: 10 * 60,
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

/** The plugin itself asks for a code only after a password, and answers with JSON. */
function twoFactorAfterProvidersToo(options: TwoFactorOptions) {
  const plugin = twoFactor(options);
  const isCallback = ({ path }: { path?: string | undefined }) => path === "/callback/:id";
  const challenges = plugin.hooks.after.map(({ matcher, handler }) => ({
    matcher: (context: Parameters<typeof matcher>[0]) => matcher(context) || isCallback(context),
    handler,
  }));
  const redirect = {
    matcher: isCallback,
    handler: createAuthMiddleware(async (ctx) => {
      if (Object(ctx.context.returned).twoFactorRedirect !== true) return;
      throw ctx.redirect(withError(ctx.context.responseHeaders?.get("location")));
    }),
  };
  return { ...plugin, hooks: { after: [...challenges, redirect] } };
}

function withError(location: string | null | undefined): string {
  const [path = "", query = ""] = (location ?? "/auth/done").split("?");
  const params = new URLSearchParams(query);
  params.set("error", "second_step_required");
  return `${path}?${params}`;
}
