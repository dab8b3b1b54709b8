import { betterAuth } from "better-auth";
import { isAPIError } from "better-auth/api";
import { type Kysely, sql } from "kysely";
import { email as emailSchema } from "#contract/text.ts";
import { networkOf, type RateLimiter } from "../../db/rate-limits.ts";
import type { DB } from "../../db/schema.ts";
import { concludePasswordReset } from "../../features/identity/password-reset.ts";
import { hashed, resetPrefix } from "../../features/identity/reset-links.ts";
import { enroller } from "./enrol.ts";
import { googleByOpenId, whoIsLetIn } from "./google.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import { afterPasswords, beforePasswords } from "./passwords.ts";
import { clientAddressHeader, type Identity, type OpenIdClient } from "./port.ts";
import { forgetTries } from "./second-factor-rules.ts";
import { secondFactors } from "./second-factors.ts";
import { type Secrets, signAnew } from "./signed-cookies.ts";
import { passwordChecker, verifyAndRehash } from "./verify-password.ts";
import { versionedSecrets } from "./versioned-secrets.ts";

export type EmbeddedSettings = Secrets & {
  publicUrl: string;
  origins: string[];
  rateLimiter: RateLimiter;
  passwords: PasswordHashing;
  logLevel: string;
  google: OpenIdClient | undefined;
};

/** The identity service that comes with the program: better-auth on the program's own pool. */
export function embeddedIdentity(db: Kysely<DB>, settings: EmbeddedSettings): Identity {
  let auth = createAuth(db, settings);
  return {
    google: settings.google !== undefined,
    async prove(headers) {
      const session = await auth.api.getSession({ headers: signAnew(headers, settings) });
      if (!session) return undefined;
      const { id, email, name, emailVerified } = session.user;
      const sessionId = session.session.id;
      await noteSeen(db, sessionId);
      return { uid: id, email: emailSchema.parse(email), name, emailVerified, sessionId };
    },
    async isLive(sessionId) {
      const live = await db
        .selectFrom("identity.session")
        .select("id")
        .where("id", "=", sessionId)
        .where("expiresAt", ">", sql<Date>`now()`)
        .executeTakeFirst();
      return live !== undefined;
    },
    async hasShownSecondFactor(sessionId) {
      const shown = await db
        .selectFrom("identity.session")
        .select("id")
        .where("id", "=", sessionId)
        .where("secondFactor", "=", true)
        .executeTakeFirst();
      return shown !== undefined;
    },
    async answer(request) {
      if (asksForGoogle(request) && settings.google && !(await hasGoogle(auth))) {
        auth = await renewed(auth);
      }
      const headers = signAnew(request.headers, settings);
      const client = networkOf(headers.get(clientAddressHeader) ?? "");
      return await settings.passwords.onBehalfOf(client, () =>
        auth.handler(new Request(request, { headers })),
      );
    },
    isPassword: passwordChecker(db, settings.passwords),
    enrol: enroller(db, settings.passwords),
  };

  /** What Google offers is read when the service is made; one made while Google was away is made anew. */
  async function renewed(current: Auth): Promise<Auth> {
    const next = createAuth(db, settings);
    return (await hasGoogle(next)) ? next : current;
  }
}

/** The service itself notes once a day that a session goes on. */
async function noteSeen(db: Kysely<DB>, sessionId: string): Promise<void> {
  const updatedAt = new Date();
  await db.updateTable("identity.session").set({ updatedAt }).where("id", "=", sessionId).execute();
}

type Auth = ReturnType<typeof createAuth>;

function asksForGoogle({ url }: Request): boolean {
  return new URL(url).pathname.endsWith("/sign-in/social");
}

async function hasGoogle(auth: Auth): Promise<boolean> {
  const { socialProviders } = await auth.$context;
  return socialProviders.some((provider) => "id" in provider && provider.id === "google");
}

function createAuth(db: Kysely<DB>, settings: EmbeddedSettings) {
  const { secret, rateLimiter, passwords, logLevel, google } = settings;
  return betterAuth({
    appName: "Secondlap",
    secret,
    secrets: versionedSecrets(settings),
    ...addresses(settings),
    database: { db: db.withSchema("identity"), type: "postgres" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength: 128,
      password: { hash: passwords.hash, verify: verifyAndRehash(db, passwords) },
      onPasswordReset: async ({ user: { id, email } }, request) => {
        const address = request?.headers.get(clientAddressHeader) ?? null;
        await forgetTries(rateLimiter, id);
        await concludePasswordReset({ db, rateLimiter }, { id, email, address });
      },
      revokeSessionsOnPasswordReset: true,
    },
    verification: {
      storeIdentifier: {
        default: "plain",
        overrides: { [resetPrefix]: { hash: async (name: string) => hashed(name) } },
      },
    },
    ...whoIsLetIn(db, settings),
    plugins: [...secondFactors(db, settings), ...(google ? [googleByOpenId(google)] : [])],
    // Counted by us, at our door (`features/identity/entrance.ts`).
    rateLimit: { enabled: false },
    advanced: {
      ...cookies(settings),
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // Checked in tests as well, where the service would leave it out.
      disableOriginCheck: false,
    },
    hooks: { before: beforePasswords(db), after: afterPasswords },
    // Its warnings tell of wrong passwords and the like, which is no news.
    logger: { level: "error", disabled: logLevel === "silent" },
    telemetry: { enabled: false },
  });
}

/** Over TLS the name of a cookie makes browsers see to it that no other host and no plain HTTP has set it. */
function cookies({ publicUrl }: EmbeddedSettings) {
  const secure = publicUrl.startsWith("https:");
  return {
    cookiePrefix: secure ? "__Host-secondlap" : "secondlap",
    // It would put a weaker word before the name.
    useSecureCookies: false,
    defaultCookieAttributes: { secure, httpOnly: true, sameSite: "lax" as const, path: "/" },
  };
}

/** On one's own machine the site has two names; each is led back to itself. */
function addresses({ publicUrl, origins }: EmbeddedSettings) {
  return {
    baseURL: {
      allowedHosts: origins.map((origin) => new URL(origin).host),
      protocol: publicUrl.startsWith("https:") ? ("https" as const) : ("http" as const),
      fallback: publicUrl,
    },
    basePath: "/api/auth",
    trustedOrigins: origins,
    onAPIError: { errorURL: "/auth/done", onError: passOn },
  };
}

/** What is no answer of the service's is an error of ours, answered and logged as any other. */
function passOn(error: unknown): void {
  if (!isAPIError(error)) throw error;
}
