import { type BetterAuthOptions, betterAuth } from "better-auth";
import { APIError, isAPIError } from "better-auth/api";
import { email as emailSchema } from "#contract/text.ts";
import type { Clock } from "../../clock.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { RateLimiter } from "../../db/rate-limiter.ts";
import type { Secrets } from "../../keyed-hash.ts";
import { verifyAndRehash } from "./account-store.ts";
import { afterSignIn, beforePasswords } from "./auth-hooks.ts";
import { openIdSignIn } from "./google-and-openid-sign-in.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import { clientAddressHeader, type IdentityHooks, type OpenIdProvider } from "./port.ts";
import { completeReset, hashIdentifier, resetPrefix } from "./reset-link-store.ts";
import { clearAttempts, secondFactorPlugins } from "./second-factor-plugins.ts";
import { findEmail, removeFactors } from "./second-factor-store.ts";
import { secretVersions } from "./secret-change.ts";
import { sessionSeconds } from "./session-store.ts";

export type EmbeddedSettings = Secrets & {
  publicUrl: string;
  origins: string[];
  rateLimiter: RateLimiter;
  passwords: PasswordHashing;
  logLevel: string;
  providers: OpenIdProvider[];
  clock: Clock;
  hooks: IdentityHooks;
  warn: (fields: object, message: string) => void;
  /** Shown by authenticator apps and in passkey prompts. An owner can change the name. */
  shopName: () => string;
  /** For one request to a sign-in provider. */
  timeoutMs?: number;
};

export type Auth = ReturnType<typeof createAuth>;

/** Import this module only on first use, because better-auth needs much memory. */
export function createAuth(db: Tx, settings: EmbeddedSettings) {
  const { secret, passwords, logLevel, hooks } = settings;
  return betterAuth({
    secret,
    secrets: secretVersions(settings),
    ...urls(settings),
    database: { db: db.withSchema("identity"), type: "postgres" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength: 128,
      password: { hash: passwords.hash, verify: verifyAndRehash(db, passwords) },
      onPasswordReset: async ({ user: { id, email } }, request) => {
        const address = request?.headers.get(clientAddressHeader) ?? null;
        await concludePasswordReset(db, settings, { id, email, address });
      },
      revokeSessionsOnPasswordReset: true,
    },
    session: { expiresIn: sessionSeconds },
    verification: {
      storeIdentifier: {
        default: "plain",
        overrides: { [resetPrefix]: { hash: async (name: string) => hashIdentifier(name) } },
      },
    },
    ...signInRules(db, hooks),
    plugins: [...secondFactorPlugins(db, settings), openIdSignIn(settings)],
    // Off, because our own rate limits apply (`features/identity/auth-throttling.ts`).
    rateLimit: { enabled: false },
    advanced: {
      ...cookies(settings),
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // By default, better-auth turns this check off in tests.
      disableOriginCheck: false,
    },
    hooks: { before: beforePasswords(hooks), after: afterSignIn },
    // No warnings, because better-auth logs one for every wrong password.
    logger: { level: "error", disabled: logLevel === "silent" },
    telemetry: { enabled: false },
  });
}

type Reset = { id: string; email: string; address: string | null };

async function concludePasswordReset(
  db: Tx,
  { rateLimiter, hooks, clock }: EmbeddedSettings,
  { id, email, address }: Reset,
): Promise<void> {
  const at = clock.now();
  await clearAttempts(rateLimiter, id);
  await hooks.clearFailedSignIns({ email, address });
  await transact(db, "concludePasswordReset", async (tx) => {
    const wasVerified = await completeReset(tx, id, at);
    const isFirstProof = await hooks.onPasswordReset(tx, { email, at });
    // A stranger may have signed up with this address and added a passkey or authenticator app.
    if (isFirstProof && !wasVerified) await removeFactors(tx, id);
  });
}

/** With the `__Host-` prefix, browsers accept the cookie only over TLS and only from this host. */
function cookies({ publicUrl }: EmbeddedSettings) {
  const secure = publicUrl.startsWith("https:");
  return {
    cookiePrefix: secure ? "__Host-secondlap" : "secondlap",
    // This option would add the weaker `__Secure-` prefix.
    useSecureCookies: false,
    defaultCookieAttributes: { secure, httpOnly: true, sameSite: "lax" as const, path: "/" },
  };
}

/** Local sites have two hosts, 127.0.0.1 and localhost. Users stay on the host they opened. */
function urls({ publicUrl, origins }: EmbeddedSettings) {
  return {
    baseURL: {
      allowedHosts: origins.map((origin) => new URL(origin).host),
      protocol: publicUrl.startsWith("https:") ? ("https" as const) : ("http" as const),
      fallback: publicUrl,
    },
    basePath: "/api/auth",
    trustedOrigins: origins,
    onAPIError: { errorURL: "/auth/done", onError: rethrowUnexpected },
  };
}

function rethrowUnexpected(error: unknown): void {
  if (!isAPIError(error)) throw error;
}

/**
 * Requires that the provider verified the address. Links the sign-in to an existing account only if
 * its address was verified here too (decisions/identity). Rejects suspended members, and new
 * accounts with recently deleted addresses (decisions/members).
 */
function signInRules(db: Tx, hooks: IdentityHooks) {
  return {
    ...providerAccounts,
    user: {
      async validateUserInfo({ user, source }) {
        if (source.method === "oauth" && user.emailVerified !== true)
          return { error: "email_not_verified" };
        const email = emailSchema.safeParse(user.email);
        if (!email.success) return undefined;
        const refusal =
          (source.action === "create-user" && (await hooks.refuseNewAccount(email.data))) ||
          (await hooks.refuseSignIn(email.data));
        return refusal && { error: refusal.code, errorDescription: refusal.message };
      },
    },
    databaseHooks: {
      ...providerAccounts.databaseHooks,
      session: {
        create: {
          async before({ userId }) {
            const email = await findEmail(db, userId);
            if (email === undefined) throw new Error("A session's account is gone.");
            const refusal = await hooks.refuseSignIn(email);
            if (refusal) throw new APIError("FORBIDDEN", refusal);
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

const providerAccounts = {
  account: {
    accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
    updateAccountOnSignIn: false,
  },
  databaseHooks: {
    user: {
      create: {
        async before(user) {
          // Omits the provider's photo, because the content security policy would block it.
          return { data: { ...user, email: emailSchema.parse(user.email), image: null } };
        },
      },
    },
    // Providers are not called after sign-in, so their tokens are not stored.
    account: {
      create: {
        async before(account) {
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
      },
    },
  },
} satisfies BetterAuthOptions;
