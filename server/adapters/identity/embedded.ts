import { randomUUID } from "node:crypto";
import { email as emailSchema } from "#contract/text.ts";
import { type Tx, transact } from "../../db/database.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { throwOutage } from "../../db/unavailable.ts";
import { accountStore, insertVerifiedUser, lockUser, passwordChecker } from "./account-store.ts";
import type { Auth, EmbeddedSettings } from "./create-auth.ts";
import { clientAddressHeader, type Identity, type NewAccount } from "./port.ts";
import { resetLinkStore } from "./reset-link-store.ts";
import { secondFactorStore } from "./second-factor-store.ts";
import { reSignCookies } from "./secret-change.ts";
import { sessionStore, touchSession } from "./session-store.ts";

/** Uses better-auth on the program's own connection pool. */
export function embeddedIdentity(db: Tx, settings: EmbeddedSettings): Identity {
  const { clock, passwords } = settings;
  let auth: Promise<Auth> | undefined;
  return {
    firebase: null,
    providers: settings.providers.map(({ id, label }) => ({ id, label })),
    async authenticate(headers) {
      const { api } = await currentAuth();
      const signed = { headers: reSignCookies(headers, settings) };
      const session = await throwOutage(
        () => api.getSession(signed),
        (found) => found === null,
      );
      if (!session) return undefined;
      const { id, email, name, emailVerified } = session.user;
      const sessionId = session.session.id;
      await touchSession(db, sessionId, clock.now());
      return { uid: id, email: emailSchema.parse(email), name, emailVerified, sessionId };
    },
    async handleRequest(request) {
      const { handler } = await currentAuth();
      const headers = reSignCookies(request.headers, settings);
      const client = networkOf(headers.get(clientAddressHeader) ?? "");
      return await passwords.onBehalfOf(client, () =>
        throwOutage(
          () => handler(new Request(request, { headers })),
          ({ ok }) => !ok,
        ),
      );
    },
    isPassword: passwordChecker(db, passwords),
    createAccount: accountCreator(db, settings),
    accounts: accountStore,
    sessions: sessionStore,
    secondFactors: secondFactorStore,
    resetLinks: resetLinkStore,
  };

  /** Loads better-auth on first use, because loading takes time and memory. */
  async function currentAuth(): Promise<Auth> {
    auth ??= import("./create-auth.ts").then(({ createAuth }) => createAuth(db, settings));
    return await auth;
  }
}

/** Hashes equal passwords only once, because all demo accounts have the same password. */
function accountCreator(db: Tx, { passwords, clock }: EmbeddedSettings) {
  const hashes = new Map<string, Promise<string>>();

  return async ({ name, email, password }: NewAccount) => {
    const pending = hashes.get(password) ?? passwords.hash(password);
    hashes.set(password, pending);
    const hash = await pending;
    return await transact(db, "enrol", async (tx) => {
      const existing = await lockUser(tx, email);
      // A stranger may have registered the unverified address (decisions/identity).
      if (existing?.emailVerified === false) await accountStore.remove(tx, email);
      const id = randomUUID();
      const inserted = await insertVerifiedUser(tx, { id, name, email });
      if (inserted.id === id) {
        const account = { id: randomUUID(), userId: id, accountId: id, providerId: "credential" };
        await tx
          .insertInto("identity.account")
          .values({ ...account, password: hash, updatedAt: clock.now() })
          .execute();
      }
      return { uid: inserted.id, email, name: inserted.name, emailVerified: true };
    });
  };
}
