import { randomUUID } from "node:crypto";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { DB } from "../../db/schema.ts";
import type { Identity } from "./port.ts";

export type IdentityUnderTest = {
  identity: Required<Identity>;
  db: Kysely<DB>;
  /** Registers an account with an unverified address, as anyone can. */
  signUp(email: string, password: string): Promise<void>;
  /** Returns the headers of the browser's next request. */
  signIn(email: string, password: string): Promise<Headers>;
  advance(minutes: number): void;
};

const password = "Secret#2026";
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

export function testIdentity(get: () => IdentityUnderTest): void {
  async function createAccount(email = `${randomUUID()}@example.com`) {
    return await get().identity.createAccount({ name: "Ada", email, password });
  }

  async function signedIn(email: string) {
    const { identity, signIn } = get();
    const headers = await signIn(email, password);
    const { sessionId = "" } = (await identity.authenticate(headers)) ?? {};
    return { headers, sessionId };
  }

  describe("accounts of an identity service", () => {
    test("creating an account again returns the same account, with a verified address", async () => {
      const { email, uid } = await createAccount();
      expect(await createAccount(email)).toMatchObject({ uid, name: "Ada", emailVerified: true });
    });

    test("creating an account replaces an unverified account that someone else registered", async () => {
      const { identity, db, signUp, signIn } = get();
      const email = `${randomUUID()}@example.com`;
      await signUp(email, "OfEve#2026");
      const eve = await signIn(email, "OfEve#2026");
      expect(await identity.authenticate(eve)).toMatchObject({ email, emailVerified: false });
      await createAccount(email);
      const entered = await identity.authenticate(eve).catch(({ code }) => code);
      expect(entered).toBeOneOf([undefined, "ADDRESS_NOT_CONFIRMED"]);
      const address = "203.0.113.1";
      const check = (given: string) => identity.isPassword({ email, password: given, address });
      expect(await check("OfEve#2026")).toBe(false);
      expect(await check(password)).toBe(true);
      const { sessionId } = await signedIn(email);
      const sessions = await identity.sessions.list(db, email, { first: sessionId, limit: 10 });
      expect(sessions.map(({ id }) => id)).toEqual([sessionId]);
    });

    test("a new account accepts its own password, and no other", async () => {
      const { identity, db } = get();
      const { email } = await createAccount();
      const check = (who: string, given: string) =>
        identity.isPassword({ email: who, password: given, address: "203.0.113.1" });
      expect(await check(email, password)).toBe(true);
      expect(await check(email, "Wrong#2026")).toBe(false);
      expect(await check("nobody@example.com", password)).toBe(false);
      const { accounts } = identity;
      expect(await accounts.hasPassword(db, email)).toBe(true);
      expect(await accounts.hasPassword(db, "nobody@example.com")).toBe(false);
      expect(await accounts.passwordVersion(db, "nobody@example.com")).toBe("");
      const methods = await accounts.listSignInMethods(db, email);
      expect(methods).toEqual([{ method: "password", since: expect.any(Date) }]);
    });

    test("removing an account ends its sessions, and other accounts keep their sessions", async () => {
      const { identity, db } = get();
      const [gone, other] = [await createAccount(), await createAccount()];
      const [ended, kept] = [await signedIn(gone.email), await signedIn(other.email)];
      await identity.accounts.remove(db, gone.email);
      expect(await identity.authenticate(ended.headers)).toBeUndefined();
      expect(await identity.authenticate(kept.headers)).toMatchObject({ email: other.email });
    });

    test("changes to an account are rolled back with the caller's transaction", async () => {
      const { identity, db } = get();
      const { email } = await createAccount();
      const { headers } = await signedIn(email);
      const rolledBack = db.transaction().execute(async (tx) => {
        await identity.accounts.updateProfile(tx, email, {
          name: "Eve",
          image: null,
          at: new Date(),
        });
        await identity.sessions.endAll(tx, email);
        throw new Error("rolled back");
      });
      await expect(rolledBack).rejects.toThrow("rolled back");
      expect(await identity.authenticate(headers)).toMatchObject({ name: "Ada" });
    });
  });

  describe("sessions of an identity service", () => {
    test("a session authenticates requests until the session ends", async () => {
      const { identity, db } = get();
      const { email, uid } = await createAccount();
      const { headers, sessionId } = await signedIn(email);
      expect(await identity.authenticate(headers)).toMatchObject({ uid, email, sessionId });
      expect(await holds(db, identity.sessions.isLive(sessionId))).toBe(true);
      expect(await identity.sessions.hasShownSecondFactor(db, sessionId)).toBe(false);
      expect(await identity.sessions.end(db, email, { id: sessionId })).toBe(1);
      expect(await identity.authenticate(headers)).toBeUndefined();
      expect(await holds(db, identity.sessions.isLive(sessionId))).toBe(false);
      expect(await identity.authenticate(new Headers())).toBeUndefined();
    });

    test("an account's sessions are listed with the given session first, then the most recently used", async () => {
      const { identity, db, advance } = get();
      const { email } = await createAccount();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        advance(1);
        ids.push((await signedIn(email)).sessionId);
      }
      const [first = "", second = "", third = ""] = ids;
      const list = async (of: string, limit: number) =>
        (await identity.sessions.list(db, of, { first, limit })).map(({ id }) => id);
      expect(await list(email, 10)).toEqual([first, third, second]);
      expect(await list(email, 2)).toEqual([first, third]);
      expect(await list("nobody@example.com", 10)).toEqual([]);
    });

    test("an account can end all of its sessions, or all but one, but no session of another account", async () => {
      const { identity, db } = get();
      const [{ email }, other] = [await createAccount(), await createAccount()];
      const { sessionId } = await signedIn(email);
      for (let count = 0; count < 2; count += 1) await signedIn(email);
      expect(await identity.sessions.end(db, other.email, { id: sessionId })).toBe(0);
      expect(await identity.sessions.end(db, other.email, { except: "none" })).toBe(0);
      expect(await identity.sessions.end(db, email, { except: sessionId })).toBe(2);
      expect(await identity.sessions.endAll(db, email)).toBe(1);
    });

    test("a session is fresh after signing in, and again after the password is confirmed", async () => {
      const { identity, db } = get();
      const { sessionId } = await signedIn((await createAccount()).email);
      const isFresh = (since: Date) => identity.sessions.isFresh(db, sessionId, since);
      expect([await isFresh(minutes(-10)), await isFresh(minutes(10))]).toEqual([true, false]);
      await identity.sessions.confirm(db, sessionId, minutes(11));
      expect(await isFresh(minutes(10))).toBe(true);
    });
  });

  test("a new account has no second factors to reset", async () => {
    const { identity, db } = get();
    const { email } = await createAccount();
    const none = { authenticatorApp: false, passkeys: [] };
    expect(await identity.secondFactors.read(db, email)).toEqual(none);
    expect(await identity.secondFactors.reset(db, email)).toBe("no factor");
    expect(await identity.secondFactors.reset(db, "nobody@example.com")).toBe("no account");
  });

  test("a reset link identifies its account until expired links are deleted", async () => {
    const { identity, db } = get();
    const { email } = await createAccount();
    const token = await identity.resetLinks.create(db, email, minutes(0));
    expect(await identity.resetLinks.findAccount(db, token ?? "")).toBe(email);
    expect(await identity.resetLinks.findAccount(db, "unknown")).toBeUndefined();
    await identity.resetLinks.deleteExpired(db, minutes(59));
    expect(await identity.resetLinks.findAccount(db, token ?? "")).toBe(email);
    await identity.resetLinks.deleteExpired(db, minutes(61));
    expect(await identity.resetLinks.findAccount(db, token ?? "")).toBeUndefined();
  });
}

async function holds(db: Kysely<DB>, condition: Expression<SqlBool>): Promise<SqlBool | undefined> {
  const { rows } = await sql<{ value: SqlBool }>`select ${condition} as value`.execute(db);
  return rows[0]?.value;
}
