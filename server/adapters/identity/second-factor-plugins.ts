import { passkey } from "@better-auth/passkey";
import { createOTP } from "@better-auth/utils/otp";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { type TwoFactorOptions, twoFactor } from "better-auth/plugins";
import { sql } from "kysely";
import { z } from "zod";
import { text } from "#contract/text.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { RateLimiter } from "../../db/rate-limiter.ts";
import type { EmbeddedSettings } from "./create-auth.ts";
import type { SecondFactorChange } from "./port.ts";
import { findEmail, hasSecondFactor, updateSessionsAfterChange } from "./second-factor-store.ts";

type Settings = Pick<
  EmbeddedSettings,
  "publicUrl" | "origins" | "rateLimiter" | "hooks" | "shopName"
>;

/** TOTP (RFC 6238), backup codes and passkeys (decisions/passwords-and-second-factors). */
export function secondFactorPlugins(db: Tx, settings: Settings) {
  const { publicUrl, origins, rateLimiter, hooks, shopName } = settings;
  return [
    twoFactorAfterProvidersToo({
      // Read at each set-up, because an owner can change the shop's name.
      get issuer() {
        return shopName();
      },
      // Members who sign in with a provider may have no password.
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

/** Requires a PIN, fingerprint or face: without it, a stolen device would be enough to sign in. */
function requireUserVerified(userVerified: boolean | undefined): void {
  if (userVerified) return;
  throw new APIError("BAD_REQUEST", {
    code: "USER_NOT_VERIFIED",
    message:
      "Your device needs a PIN, a fingerprint or face recognition. Set one up and try again.",
  });
}

/**
 * Extends the plugin to sign-ins with a provider, which end in a redirect. The plugin itself asks
 * for a code only after a password, and responds with JSON.
 */
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

/** Per account, from all IP addresses together. */
const attempts = { name: "second factor tries", max: 20, minutes: 15 };
const attemptsPerDay = { name: "second factor tries in a day", max: 100, minutes: 24 * 60 };

type Hook = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type Deps = Pick<Settings, "rateLimiter" | "hooks"> & { db: Tx };

/** Rules that better-auth's plugins do not enforce (decisions/passwords-and-second-factors). */
function secondFactorRules(deps: Deps) {
  return {
    id: "second-factor-rules",
    schema: {
      session: {
        fields: {
          secondFactor: { type: "boolean", required: false, defaultValue: false, input: false },
        },
      },
    },
    init: () => ({ options: { databaseHooks: markSessions } }),
    hooks: {
      before: [
        { matcher: isFactorRoute, handler: createAuthMiddleware((ctx) => check(ctx, deps)) },
      ],
      after: [
        { matcher: isFactorRoute, handler: createAuthMiddleware((ctx) => conclude(ctx, deps)) },
      ],
    },
  } satisfies BetterAuthPlugin;
}

function isFactorRoute({ path = "" }: { path?: string | undefined }): boolean {
  return path.startsWith("/two-factor/") || path.startsWith("/passkey/");
}

const signInPaths = ["/two-factor/verify-totp", "/two-factor/verify-backup-code"];
const secondFactorSignIns = [...signInPaths, "/passkey/verify-authentication"];

const markSessions = {
  session: {
    create: {
      async before(session: object, ctx: { path?: string } | null) {
        const secondFactor = secondFactorSignIns.includes(ctx?.path ?? "");
        return { data: { ...session, secondFactor } };
      },
    },
  },
};

const passwordPaths = [
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
];
const addOrRemovePaths = [
  "/two-factor/enable",
  "/passkey/generate-register-options",
  "/passkey/verify-registration",
  "/passkey/delete-passkey",
];

async function check(ctx: Hook, { db, rateLimiter }: Deps) {
  const { path } = ctx;
  const session = await getSessionFromCtx(ctx);
  const userId = session?.user.id ?? (await challengedUser(ctx));
  // This is a sign-in with a passkey, or a request that the plugins reject themselves.
  if (userId === undefined) return undefined;
  const body = { ...Object(ctx.body) };
  if (passwordPaths.includes(path) || signInPaths.includes(path)) {
    await rateLimiter.consume(attempts, userId);
    await rateLimiter.consume(attemptsPerDay, userId);
  }
  if (session && addOrRemovePaths.includes(path)) await requireSecondFactor(db, session);
  if (path === "/two-factor/disable" || path === "/two-factor/generate-backup-codes")
    await requireCode({ db, key: ctx.context.secretConfig }, userId, body.code);
  if (path === "/two-factor/verify-totp") await markCodeUsed(db, userId, body.code);
  if (signInPaths.includes(path))
    return { context: { body: { ...body, trustDevice: false, disableSession: false } } };
  if (path === "/passkey/verify-registration")
    return { context: { body: { ...body, name: nameOf(body), createSession: false } } };
  return undefined;
}

/** Finds the user whose password or provider was accepted and whose second step is pending. */
async function challengedUser(ctx: Hook): Promise<string | undefined> {
  const { name } = ctx.context.createAuthCookie("two_factor");
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!challenge) return undefined;
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value;
}

type Session = NonNullable<Awaited<ReturnType<typeof getSessionFromCtx>>>;

async function requireSecondFactor(db: Tx, { session, user }: Session): Promise<void> {
  if ("secondFactor" in session && session.secondFactor === true) return;
  if (!(await hasSecondFactor(db, user.id))) return;
  throw new APIError("FORBIDDEN", {
    code: "SECOND_FACTOR_NOT_SHOWN",
    message: "To change this, sign out and log in again with your passkey or code.",
  });
}

const passkeyName = text("Give the passkey a name.", 80);

function nameOf({ name }: { name?: unknown }): string {
  const parsed = passkeyName.safeParse(name);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? "Give the passkey a name.";
  throw new APIError("BAD_REQUEST", { code: "INVALID_INPUT", message });
}

async function conclude(ctx: Hook, { db, rateLimiter, hooks }: Deps): Promise<void> {
  const { path, context } = ctx;
  if (isAPIError(context.returned)) return;
  const { session, newSession } = context;
  const userId = session?.user.id ?? newSession?.user.id;
  if (userId === undefined) return;
  if (passwordPaths.includes(path) || signInPaths.includes(path))
    await clearAttempts(rateLimiter, userId);
  const action = actions[path];
  if (!session || !action || (path === "/two-factor/verify-totp" && !newSession)) return;
  const sessionId = (newSession ?? session).session.id;
  await transact(db, "concludeFactorChange", async (tx) => {
    await updateSessionsAfterChange(tx, { userId, sessionId, action });
    const email = await findEmail(tx, userId);
    if (email !== undefined) await hooks.onSecondFactorChange(tx, { email, action });
  });
}

const actions: Record<string, SecondFactorChange["action"]> = {
  "/two-factor/verify-totp": "turn on two-step verification",
  "/two-factor/disable": "turn off two-step verification",
  "/two-factor/generate-backup-codes": "make backup codes",
  "/passkey/verify-registration": "add passkey",
  "/passkey/delete-passkey": "remove passkey",
};

/** Resets the account's counters, so that someone with an old password can't lock the owner out. */
export async function clearAttempts(rateLimiter: RateLimiter, userId: string): Promise<void> {
  await rateLimiter.reset(attempts, userId);
  await rateLimiter.reset(attemptsPerDay, userId);
}

/** Longer than the three 30-second steps for which a code is valid. */
const codeMinutes = 3;

type SecretKey = Parameters<typeof symmetricDecrypt>[0]["key"];

/** Lets a code be used only once, even concurrently. Throws `INVALID_CODE` or `CODE_USED`. */
async function markCodeUsed(db: Tx, userId: string, code: unknown): Promise<void> {
  if (!isAppCode(code)) throw wrongCode();
  const marked = await db
    .insertInto("identity.usedCode")
    .values({ userId, code, usedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(["userId", "code"])
        .doUpdateSet({ usedAt: sql`now()` })
        .where(
          "identity.usedCode.usedAt",
          "<",
          sql<Date>`now() - ${codeMinutes} * interval '1 minute'`,
        ),
    )
    .returning("userId")
    .executeTakeFirst();
  if (marked) return;
  throw new APIError("UNAUTHORIZED", {
    code: "CODE_USED",
    message: "This code has already been used. Wait for the next one.",
  });
}

/** With an authenticator app, requires a code: the plugin itself requires only the password. */
async function requireCode(
  { db, key }: { db: Tx; key: SecretKey },
  userId: string,
  code: unknown,
): Promise<void> {
  const factor = await db
    .selectFrom("identity.twoFactor")
    .select(["secret", "backupCodes"])
    .where("userId", "=", userId)
    .where("verified", "=", true)
    .executeTakeFirst();
  if (!factor) return;
  if (isAppCode(code)) {
    await markCodeUsed(db, userId, code);
    const secret = await symmetricDecrypt({ key, data: factor.secret });
    if (await createOTP(secret).verify(code)) return;
  } else {
    const backupCodes = await symmetricDecrypt({ key, data: factor.backupCodes });
    if (z.array(z.unknown()).parse(JSON.parse(backupCodes)).includes(code)) return;
  }
  throw wrongCode();
}

function isAppCode(code: unknown): code is string {
  return typeof code === "string" && /^\d{6}$/.test(code);
}

function wrongCode(): APIError {
  return new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "That code is not right." });
}
