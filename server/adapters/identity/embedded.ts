import type { Kysely } from "kysely";
import { email as emailSchema } from "#contract/text.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import type { DB } from "../../db/schema.ts";
import { throwOutage } from "../../db/unavailable.ts";
import { accountStore } from "./account-store.ts";
import { accountCreator } from "./create-account.ts";
import type { Auth, EmbeddedSettings } from "./create-auth.ts";
import { clientAddressHeader, type Identity } from "./port.ts";
import { reSignCookies } from "./re-sign-cookies.ts";
import { resetLinkStore } from "./reset-link-store.ts";
import { secondFactorStore } from "./second-factor-store.ts";
import { hasShownSecondFactor, isLive, sessionStore, touchSession } from "./session-store.ts";
import { passwordChecker } from "./verify-password.ts";

/** The embedded identity service: better-auth on the program's own connection pool. */
export function embeddedIdentity(db: Kysely<DB>, settings: EmbeddedSettings): Identity {
  const { clock, passwords } = settings;
  let auth: Promise<Auth> | undefined;
  return {
    firebase: null,
    providers: settings.providers.map(({ id, label }) => ({ id, label })),
    async authenticate(headers) {
      const { api } = await currentAuth();
      const signed = { headers: reSignCookies(headers, settings) };
      const session = await throwOutage(() => api.getSession(signed), isNull);
      if (!session) return undefined;
      const { id, email, name, emailVerified } = session.user;
      const sessionId = session.session.id;
      await touchSession(db, sessionId, clock.now());
      return { uid: id, email: emailSchema.parse(email), name, emailVerified, sessionId };
    },
    isLive,
    hasShownSecondFactor: (sessionId) => hasShownSecondFactor(db, sessionId),
    async handleRequest(request) {
      const { handler } = await currentAuth();
      const headers = reSignCookies(request.headers, settings);
      const client = networkOf(headers.get(clientAddressHeader) ?? "");
      return await passwords.onBehalfOf(client, () =>
        throwOutage(() => handler(new Request(request, { headers })), isRefusal),
      );
    },
    isPassword: passwordChecker(db, passwords),
    createAccount: accountCreator(db, { passwords, clock }),
    accounts: accountStore,
    sessions: sessionStore,
    secondFactors: secondFactorStore,
    resetLinks: resetLinkStore,
  };

  /** Loaded on first use, because better-auth takes a quarter of a second and 40 MB. */
  async function currentAuth(): Promise<Auth> {
    auth ??= createAuth();
    return await auth;
  }

  async function createAuth(): Promise<Auth> {
    const module = await import("./create-auth.ts");
    return module.createAuth(db, settings);
  }
}

function isNull(session: unknown): boolean {
  return session === null;
}

function isRefusal({ ok }: Response): boolean {
  return !ok;
}
