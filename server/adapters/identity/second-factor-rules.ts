import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import type { Kysely } from "kysely";
import { text } from "#contract/text.ts";
import type { RateLimiter } from "../../db/rate-limits.ts";
import type { DB } from "../../db/schema.ts";
import { concludeFactorChange, hasSecondFactor } from "../../features/identity/second-factors.ts";
import { requireCode, takeCodeOnce } from "./codes.ts";

/** Tries of codes and passwords in these routes: for one person, wherever they come from. */
const tries = { name: "second factor tries", most: 20, minutes: 15 };
const triesADay = { name: "second factor tries in a day", most: 100, minutes: 24 * 60 };

type Hook = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** What the plugins leave to whoever uses them (decision 0022). */
export function secondFactorRules(db: Kysely<DB>, rateLimiter: RateLimiter) {
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
        {
          matcher: isOurs,
          handler: createAuthMiddleware((ctx) => check(ctx, { db, rateLimiter })),
        },
      ],
      after: [
        {
          matcher: isOurs,
          handler: createAuthMiddleware((ctx) => conclude(ctx, { db, rateLimiter })),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

function isOurs({ path = "" }: { path?: string | undefined }): boolean {
  return path.startsWith("/two-factor/") || path.startsWith("/passkey/");
}

/** Only these end with somebody signed in who has shown a second factor. */
const provingPaths = [
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  "/passkey/verify-authentication",
];

const markSessions = {
  session: {
    create: {
      async before(session: object, ctx: { path?: string } | null) {
        const secondFactor = provingPaths.includes(ctx?.path ?? "");
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
const signInPaths = ["/two-factor/verify-totp", "/two-factor/verify-backup-code"];
const addOrRemovePaths = [
  "/two-factor/enable",
  "/passkey/generate-register-options",
  "/passkey/verify-registration",
  "/passkey/delete-passkey",
];

type With = { db: Kysely<DB>; rateLimiter: RateLimiter };

async function check(ctx: Hook, { db, rateLimiter }: With) {
  const { path } = ctx;
  const session = await getSessionFromCtx(ctx);
  const userId = session?.user.id ?? (await challengedUser(ctx));
  // Whoever is neither signed in nor half-way there is refused by the plugins.
  if (userId === undefined) return undefined;
  const body = { ...Object(ctx.body) };
  if (passwordPaths.includes(path) || signInPaths.includes(path)) {
    await rateLimiter.consume(tries, userId);
    await rateLimiter.consume(triesADay, userId);
  }
  if (session && addOrRemovePaths.includes(path)) await requireFactorShown(db, session);
  if (path === "/two-factor/disable" || path === "/two-factor/generate-backup-codes")
    await requireCode({ db, key: ctx.context.secretConfig }, userId, body.code);
  if (path === "/two-factor/verify-totp") await takeCodeOnce(db, userId, body.code);
  if (signInPaths.includes(path))
    return { context: { body: { ...body, trustDevice: false, disableSession: false } } };
  if (path === "/passkey/verify-registration")
    return { context: { body: { ...body, name: nameOf(body), createSession: false } } };
  return undefined;
}

/** The person who has given the right password and is now asked for the second step. */
async function challengedUser(ctx: Hook): Promise<string | undefined> {
  const { name } = ctx.context.createAuthCookie("two_factor");
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!challenge) return undefined;
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value;
}

type Session = NonNullable<Awaited<ReturnType<typeof getSessionFromCtx>>>;

/** A password alone must not be enough to replace the factor that is asked for beside it. */
async function requireFactorShown(db: Kysely<DB>, { session, user }: Session): Promise<void> {
  if ("secondFactor" in session && session.secondFactor === true) return;
  if (!(await hasSecondFactor(db, user.id))) return;
  throw new APIError("FORBIDDEN", {
    code: "SECOND_FACTOR_NOT_SHOWN",
    message: "Sign out and log in with your passkey or code first. Then you can change this.",
  });
}

const passkeyName = text("Give the passkey a name.", 80);

function nameOf({ name }: { name?: unknown }): string {
  const parsed = passkeyName.safeParse(name);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? "Give the passkey a name.";
  throw new APIError("BAD_REQUEST", { code: "INVALID_INPUT", message });
}

/** After a change: tries are counted anew, and what it means for sessions is done and recorded. */
async function conclude(ctx: Hook, { db, rateLimiter }: With): Promise<void> {
  const { path, context } = ctx;
  if (isAPIError(context.returned)) return;
  const { session, newSession } = context;
  const userId = session?.user.id ?? newSession?.user.id;
  if (userId === undefined) return;
  if (passwordPaths.includes(path) || signInPaths.includes(path))
    await forgetTries(rateLimiter, userId);
  const verb = changes[path];
  if (!session || !verb || (path === "/two-factor/verify-totp" && !newSession)) return;
  const sessionId = (newSession ?? session).session.id;
  await concludeFactorChange(db, { userId, sessionId, verb });
}

/** What is recorded of a change somebody makes while signed in. */
const changes: Record<string, string> = {
  "/two-factor/verify-totp": "turn on two-step verification",
  "/two-factor/disable": "turn off two-step verification",
  "/two-factor/generate-backup-codes": "make backup codes",
  "/passkey/verify-registration": "add passkey",
  "/passkey/delete-passkey": "remove passkey",
};

/** A new password by a mailed link takes away what somebody who knew the old one has used up. */
export async function forgetTries(rateLimiter: RateLimiter, userId: string): Promise<void> {
  await rateLimiter.reset(tries, userId);
  await rateLimiter.reset(triesADay, userId);
}
