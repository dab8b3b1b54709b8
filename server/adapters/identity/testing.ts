import { createHmac, randomUUID, scryptSync } from "node:crypto";
import { type Insertable, sql, type Updateable } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { IdentitySession, IdentityUser, IdentityVerification } from "../../db/schema.ts";
import { formatHash, keyLength } from "./password-hashing/password-hashing.ts";
import { hashIdentifier, resetPrefix } from "./reset-link-store.ts";

type Person = { id: string; name: string; email: string };

export async function signInDirectly(
  tx: Tx,
  person: Person,
): Promise<{ id: string; token: string }> {
  await tx
    .insertInto("identity.user")
    .values({ ...person, emailVerified: true })
    .execute();
  return await insertSession(tx, person.id);
}

const week = 7 * 24 * 3_600_000;

export async function insertSession(tx: Tx, userId: string, changes: Partial<Session> = {}) {
  const [id, token] = [randomUUID(), randomUUID()];
  const [expiresAt, updatedAt] = [new Date(Date.now() + week), new Date()];
  const session = { id, userId, token, expiresAt, updatedAt, ...changes };
  await tx.insertInto("identity.session").values(session).execute();
  return { id, token };
}

type Session = Insertable<IdentitySession>;

/** better-auth's session cookie, as a browser sends it to a site without TLS. */
export function sessionCookie(token: string, secret: string): string {
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return `secondlap.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

export async function findSessions(tx: Tx, email?: string) {
  let sessions = tx
    .selectFrom("identity.session as session")
    .innerJoin("identity.user as user", "user.id", "session.userId")
    .selectAll("session");
  if (email !== undefined) sessions = sessions.where("user.email", "=", email);
  return await sessions.execute();
}

export async function updateSessions(
  tx: Tx,
  changes: Updateable<IdentitySession>,
  email?: string,
): Promise<void> {
  let sessions = tx.updateTable("identity.session").set(changes);
  if (email !== undefined) {
    const user = tx.selectFrom("identity.user").select("id").where("email", "=", email);
    sessions = sessions.where("userId", "=", user);
  }
  await sessions.execute();
}

export async function findUser(tx: Tx, email: string) {
  return await tx
    .selectFrom("identity.user")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
}

export async function updateUser(
  tx: Tx,
  email: string,
  changes: Updateable<IdentityUser>,
): Promise<void> {
  await tx.updateTable("identity.user").set(changes).where("email", "=", email).execute();
}

export async function findProviderAccounts(tx: Tx, email: string) {
  return await tx
    .selectFrom("identity.account as account")
    .innerJoin("identity.user as user", "user.id", "account.userId")
    .selectAll("account")
    .where("email", "=", email)
    .execute();
}

export async function insertProviderAccount(
  tx: Tx,
  account: { userId: string; providerId: string; accountId: string },
): Promise<void> {
  await tx
    .insertInto("identity.account")
    .values({ ...account, id: randomUUID(), updatedAt: new Date() })
    .execute();
}

/** Adds or replaces the hash. Null means that only Firebase has the password. */
export async function setPasswordHash(tx: Tx, email: string, hash: string | null): Promise<void> {
  const { id } = await findUser(tx, email);
  const values = { password: hash, updatedAt: new Date() };
  const updated = await tx
    .updateTable("identity.account")
    .set(values)
    .where("userId", "=", id)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  if (updated.numUpdatedRows > 0n) return;
  await tx
    .insertInto("identity.account")
    .values({ id: randomUUID(), userId: id, accountId: id, providerId: "credential", ...values })
    .execute();
}

/** Returns a hash with parameters that the shop itself never uses. */
export function olderPasswordHash(password: string): string {
  const [cost, salt] = [{ N: 16_384, r: 16, p: 1 }, "0a".repeat(16)];
  const key = scryptSync(password, salt, keyLength, { ...cost, maxmem: 2 ** 26 });
  return formatHash({ cost, salt, key });
}

export async function findTwoFactor(tx: Tx, email: string) {
  return await tx
    .selectFrom("identity.twoFactor as factor")
    .innerJoin("identity.user as user", "user.id", "factor.userId")
    .selectAll("factor")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
}

export async function insertPasskey(tx: Tx, userId: string, id: string): Promise<void> {
  const key = { publicKey: "", credentialID: id, deviceType: "singleDevice", backedUp: false };
  await tx
    .insertInto("identity.passkey")
    .values({ id, userId, counter: 0, ...key })
    .execute();
}

export async function findVerifications(tx: Tx) {
  return await tx.selectFrom("identity.verification").selectAll().execute();
}

export async function insertVerification(
  tx: Tx,
  values: Omit<Insertable<IdentityVerification>, "id">,
): Promise<void> {
  await tx
    .insertInto("identity.verification")
    .values({ id: randomUUID(), ...values })
    .execute();
}

export async function findResetLink(tx: Tx, token: string) {
  return await tx
    .selectFrom("identity.verification")
    .selectAll()
    .where("identifier", "=", hashIdentifier(`${resetPrefix}${token}`))
    .executeTakeFirstOrThrow();
}

export async function expireResetLink(tx: Tx, token: string): Promise<void> {
  const { id } = await findResetLink(tx, token);
  await tx
    .updateTable("identity.verification")
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where("id", "=", id)
    .execute();
}

/** Changes stored sign-in states, as an attacker with access to the database could. */
export async function replaceInVerifications(
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx
    .updateTable("identity.verification")
    .set({ value: sql`replace(value, ${from}, ${to})` })
    .execute();
}

/** Makes reset links fail with a database error. Returns a function that ends the failure. */
export async function breakVerifications(tx: Tx): Promise<() => Promise<unknown>> {
  await sql`alter table identity.verification rename to elsewhere`.execute(tx);
  return () => sql`alter table identity.elsewhere rename to verification`.execute(tx);
}

export async function lockTable(tx: Tx, name: "user" | "account" | "session"): Promise<void> {
  await sql`lock table ${sql.table(`identity.${name}`)} in access exclusive mode`.execute(tx);
}

export async function listAccountReferences(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname || '.' || attname as name from pg_constraint
    join pg_class on pg_class.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where contype = 'f' and confrelid = 'identity.user'::regclass`.execute(tx);
  return rows.map(({ name }) => name).sort();
}

/** Tables and subqueries with rows that a read must not change. */
export const recordedTables = [
  'identity."user"',
  '(select id, "userId", "token", "expiresAt" from identity.session)',
];

export async function findAllAccounts(tx: Tx) {
  return await tx
    .selectFrom("identity.user as user")
    .innerJoin("identity.account as account", "account.userId", "user.id")
    .select(["user.id", "user.name", "user.email", "user.emailVerified", "user.image"])
    .select(sql<Date>`date_trunc('milliseconds', "user"."createdAt")`.as("created"))
    .select(["account.providerId", "account.accountId", "account.password"])
    .orderBy("user.id")
    .execute();
}
