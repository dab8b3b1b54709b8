import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import { type Tx, transact } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { accountStore, insertVerifiedUser, lockUser } from "./account-store.ts";
import type { FirebaseApi } from "./firebase-api.ts";
import { type FirebaseUser, signInUnavailable } from "./firebase-id-token.ts";
import { linkedAccount, refuseSignInsUntil } from "./firebase-stores.ts";
import { memberNameOf } from "./openid-profile.ts";
import type { AuthenticatedSession, IdentityHooks, NewAccount } from "./port.ts";
import { sessionStore } from "./session-store.ts";

/** Counted from the sign-in, not from the last use. */
const sessionDays = 30;

type With = { db: Tx; clock: Clock; hooks: IdentityHooks };
type Client = { userAgent: string | null; ipAddress: string | null };

/** Returns one id per sign-in at Firebase. ID tokens identify sign-ins only by user and time. */
export function sessionIdOf({ uid, signedInAt }: FirebaseUser): string {
  return createHash("sha256").update(`${uid} ${signedInAt.getTime()}`).digest("base64url");
}

/**
 * Finds or starts a sign-in's session. Returns undefined if the session has ended or the sign-in is
 * too old. Throws if the user may not start a session.
 */
export async function sessionFor(
  { db, clock, hooks }: With,
  user: FirebaseUser,
  client: Client,
): Promise<AuthenticatedSession | undefined> {
  const at = clock.now();
  const known = await findSession(db, user, at);
  if (known) return known;
  if (at.getTime() - user.signedInAt.getTime() > sessionDays * 86_400_000) return undefined;
  const refusal = await hooks.refuseSignIn(user.email);
  if (refusal) throw new AppError(refusal.code, refusal.message);
  await transact(db, "signInWithFirebase", async (tx) => {
    const account =
      (await lockUser(tx, user.email)) ?? (await createAccount({ tx, hooks }, user, at));
    await requireSameAccount(tx, { userId: account.id, at }, user);
    await recordSignIn({ tx, hooks }, { ...user, account: account.id, at });
    if (await isCutOff(tx, user)) return;
    await startSession(tx, { ...user, account: account.id, at, ...client });
  });
  return await findSession(db, user, at);
}

/** Finds the session if its account matches the ID token's address, and records its use. */
async function findSession(
  tx: Tx,
  user: FirebaseUser,
  at: Date,
): Promise<AuthenticatedSession | undefined> {
  const { uid, email, emailVerified } = user;
  const sessionId = sessionIdOf(user);
  const used = await tx
    .updateTable("identity.session as session")
    .from("identity.user as user")
    .set({ updatedAt: at })
    .whereRef("user.id", "=", "session.userId")
    .where("session.id", "=", sessionId)
    .where("session.expiresAt", ">", sql<Date>`now()`)
    .where("user.email", "=", email)
    .$if(emailVerified, (session) => session.where("user.emailVerified", "=", true))
    .returning("user.name")
    .executeTakeFirst();
  return used && { uid, email, name: used.name, emailVerified, sessionId };
}

type InTransaction = { tx: Tx; hooks: IdentityHooks };

async function createAccount({ tx, hooks }: InTransaction, user: FirebaseUser, at: Date) {
  const { uid, email, name, emailVerified } = user;
  const refusal = await hooks.refuseNewAccount(email);
  if (refusal) throw new AppError(refusal.code, refusal.message);
  const created = await tx
    .insertInto("identity.user")
    .values({
      id: uid,
      email,
      name: memberNameOf(hooks, name, email),
      emailVerified,
      updatedAt: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  // Another request from the same sign-in may have created the account.
  const account = created ?? (await lockUser(tx, email));
  if (account) return account;
  throw new AppError(
    "NOT_YOUR_ADDRESS",
    "The email address of this account has changed since you joined. Write to our support team to have it changed here too.",
  );
}

/** Links the user to an account with another id. A new link requires a verified address. */
async function requireSameAccount(
  tx: Tx,
  { userId, at }: { userId: string; at: Date },
  { uid, emailVerified }: FirebaseUser,
): Promise<void> {
  if (userId === uid) return;
  const ids = { userId, providerId: linkedAccount, accountId: uid };
  const linked = await tx
    .selectFrom("identity.account")
    .select("id")
    .where(({ and }) => and(ids))
    .executeTakeFirst();
  if (linked) return;
  if (!emailVerified)
    throw new AppError(
      "ADDRESS_NOT_CONFIRMED",
      "There is an account with this email address already. Use Forget Password? to show that the address is yours, then log in with the new password.",
    );
  await tx
    .insertInto("identity.account")
    .values({ id: randomUUID(), ...ids, updatedAt: at })
    .execute();
}

type SignIn = FirebaseUser & { account: string; at: Date };

async function recordSignIn({ tx, hooks }: InTransaction, signIn: SignIn): Promise<void> {
  const { uid, account: userId, email, emailVerified, signedInWith, googleId, at } = signIn;
  if (emailVerified) {
    const verified = await tx
      .updateTable("identity.user")
      .set({ emailVerified, updatedAt: at })
      .where("id", "=", userId)
      .where("emailVerified", "=", false)
      .executeTakeFirst();
    if (verified.numUpdatedRows > 0n) {
      await endUnverified(tx, signIn);
      await hooks.onAddressVerified(tx, { email, at });
    }
  }
  const method = { userId, updatedAt: at };
  if (signedInWith === "password")
    await addMethod(tx, { ...method, providerId: "credential", accountId: uid });
  // Not after other sign-ins: a stranger may have linked their Google account at Firebase.
  if (signedInWith === "google.com" && googleId !== undefined)
    await addMethod(tx, { ...method, providerId: "google", accountId: googleId });
  // Firebase checks passwords now, so a hash from the embedded service may be outdated.
  await tx
    .updateTable("identity.account")
    .set({ password: null, updatedAt: at })
    .where("userId", "=", userId)
    .where("password", "is not", null)
    .execute();
}

/** Ends the access of anyone who used the address before it was verified (decisions/identity). */
async function endUnverified(tx: Tx, { account, email, signedInAt }: SignIn): Promise<void> {
  await sessionStore.endAll(tx, email);
  await refuseSignInsUntil(tx, email, new Date(signedInAt.getTime() - 1_000));
  await tx
    .deleteFrom("identity.account")
    .where("userId", "=", account)
    .where("providerId", "=", "google")
    .execute();
}

type Method = { userId: string; providerId: string; accountId: string; updatedAt: Date };

async function addMethod(tx: Tx, method: Method): Promise<void> {
  const { userId, providerId } = method;
  const known = await tx
    .selectFrom("identity.account")
    .select("id")
    .where("userId", "=", userId)
    .where("providerId", "=", providerId)
    .executeTakeFirst();
  if (!known)
    await tx
      .insertInto("identity.account")
      .values({ id: randomUUID(), ...method })
      .execute();
}

async function isCutOff(tx: Tx, { uid, signedInAt }: FirebaseUser): Promise<boolean> {
  const cutoff = await tx
    .selectFrom("identity.signInCutoff")
    .select("at")
    .where("accountId", "=", uid)
    .where("at", ">=", signedInAt)
    .executeTakeFirst();
  return cutoff !== undefined;
}

async function startSession(tx: Tx, { account, at, ...user }: SignIn & Client): Promise<void> {
  const { signedInAt, userAgent, ipAddress } = user;
  const expiresAt = new Date(signedInAt.getTime() + sessionDays * 86_400_000);
  await tx
    .insertInto("identity.session")
    .values({
      id: sessionIdOf(user),
      userId: account,
      token: randomUUID(),
      expiresAt,
      createdAt: signedInAt,
      updatedAt: at,
      userAgent,
      ipAddress,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

type Admin = NonNullable<FirebaseApi["admin"]>;

/** Creates accounts at Firebase and here without a browser. Their addresses count as verified. */
export function firebaseAccountCreator(db: Tx, { admin, clock }: { admin: Admin; clock: Clock }) {
  return async (person: NewAccount) => {
    const uid = await createAtFirebase(admin, person);
    const { name, email } = person;
    const at = clock.now();
    return await transact(db, "enrol", async (tx) => {
      const existing = await lockUser(tx, email);
      if (existing?.emailVerified === false) {
        await refuseSignInsUntil(tx, email, at);
        await accountStore.remove(tx, email);
      }
      const user = await insertVerifiedUser(tx, { id: uid, name, email, updatedAt: at });
      const method = { providerId: "credential", accountId: uid, userId: user.id, updatedAt: at };
      await addMethod(tx, method);
      return { uid, email, name: user.name, emailVerified: true };
    });
  };
}

/**
 * Returns the id of a new account, or of an existing account with a verified address. Replaces an
 * unverified account, which a stranger may have registered (decisions/identity).
 */
async function createAtFirebase(admin: Admin, person: NewAccount): Promise<string> {
  const { name: displayName, ...credentials } = person;
  const created = await admin.createAccount({ ...credentials, displayName });
  if (created) return created.localId;
  const existing = await admin.findAccount({ email: [person.email] });
  if (existing?.emailVerified) return existing.localId;
  if (existing) await admin.deleteAccount(existing.localId);
  const again = await admin.createAccount({ ...credentials, displayName });
  if (!again) throw signInUnavailable(new Error("The account was changed concurrently."));
  return again.localId;
}
