import { hkdfSync, randomBytes } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import type { Call } from "#contract/call.ts";
import type { Access } from "#contract/roles.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

/** An `admin` is an admin with the owner role. */
export type Kind = "buyer" | "seller" | "admin" | "moderation" | "support" | "finance";

/** The admin access words of each kind (docs/contract.md). */
export const staffWords: Record<Kind, Access[]> = {
  buyer: [],
  seller: [],
  admin: ["admin", "moderation", "support", "finance", "deals", "owner"],
  moderation: ["admin", "moderation"],
  support: ["admin", "support", "deals"],
  finance: ["admin", "finance", "deals"],
};

/** Returns `admin` for an admin of any role, and otherwise the kind itself. */
export function ownerKind(kind: Kind): Kind {
  return staffWords[kind].length > 0 ? "admin" : kind;
}

/** Two buyers, two sellers and one admin in each role, all signed in. */
export type Members = Record<Kind, [Person, Person?]>;

export async function createMembers(shop: Shop): Promise<Members> {
  const seller = { accountType: "seller" } as const;
  const [buyer, buyer2, seller1, seller2, admin, moderation, support, finance] = await Promise.all([
    member(shop),
    member(shop),
    member(shop, seller),
    member(shop, seller),
    member(shop, { isAdmin: true }),
    member(shop, { staffRole: "moderation" }),
    member(shop, { staffRole: "support" }),
    member(shop, { staffRole: "finance" }),
  ]);
  return {
    buyer: [buyer, buyer2],
    seller: [seller1, seller2],
    admin: [admin],
    moderation: [moderation],
    support: [support],
    finance: [finance],
  };
}

/** Returns the mobile number in the seller's listings and messages. */
export function mobileOf({ id }: Person): string {
  return `555${Number.parseInt(id.slice(-8), 16)}`;
}

/** Returns the phone number that fixtures use for the buyer. */
export function phoneOf({ id }: Person): string {
  return `777${Number.parseInt(id.slice(-8), 16)}`;
}

export type Actor = { name: string; is: Kind; which: 0 | 1 } | Impostor;

export type Impostor = {
  name: string;
  headersAs(shop: Shop, member: Person): Promise<Record<string, string>>;
};

/** Actors that try every call. */
export const actors: Actor[] = [
  { name: "a buyer", is: "buyer", which: 0 },
  { name: "another buyer", is: "buyer", which: 1 },
  { name: "a seller", is: "seller", which: 0 },
  { name: "another seller", is: "seller", which: 1 },
  { name: "an owner", is: "admin", which: 0 },
  { name: "a moderator", is: "moderation", which: 0 },
  { name: "support staff", is: "support", which: 0 },
  { name: "finance staff", is: "finance", which: 0 },
  { name: "a visitor", headersAs: async () => ({}) },
  { name: "a member who has signed out", headersAs: asSignedOut },
];

/** Impostors' results depend only on the access word. They try one call per word and method. */
export const impostors: Impostor[] = [
  { name: "a deleted member", headersAs: asDeleted },
  { name: "a deleted member with a leftover session", headersAs: asDeletedInSession },
  { name: "an expired token", headersAs: (shop, someone) => bearer(shop, someone, { age: 15 }) },
  { name: "a token with alg none", headersAs: async (shop, someone) => unsigned(shop, someone) },
  {
    name: "a token of another key",
    headersAs: (shop, someone) => bearer(shop, someone, strangeKey),
  },
  {
    name: "a token of another algorithm",
    headersAs: (shop, someone) => bearer(shop, someone, { alg: "HS512" }),
  },
  {
    name: "a token for another audience",
    headersAs: (shop, someone) => bearer(shop, someone, { audience: "elsewhere" }),
  },
  {
    name: "a token of another issuer",
    headersAs: (shop, someone) => bearer(shop, someone, { issuer: "elsewhere" }),
  },
];

export async function headersOf({ cookie, token }: Person): Promise<Record<string, string>> {
  return { cookie, authorization: `Bearer ${await token()}` };
}

/** Returns the headers of a deleted member who had the same roles as `someone`. */
async function asDeleted(shop: Shop, someone: Person) {
  const gone = await sameAs(shop, someone);
  await deleteRow(shop, gone);
  await shop.deps.identity.accounts.remove(shop.deps.db, gone.email);
  return await headersOf(gone);
}

async function asDeletedInSession(shop: Shop, someone: Person) {
  const gone = await sameAs(shop, someone);
  await deleteRow(shop, gone);
  return { authorization: `Bearer ${await gone.token()}` };
}

async function asSignedOut(shop: Shop, someone: Person) {
  const gone = await sameAs(shop, someone);
  await shop.deps.identity.sessions.end(shop.deps.db, gone.email, { id: gone.sessionId });
  return await headersOf(gone);
}

async function sameAs(shop: Shop, { id }: Person): Promise<Person> {
  const { account_type: accountType, staff_role: staffRole } = await shop.deps.db
    .selectFrom("members")
    .select(["account_type", "staff_role"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return await member(shop, { accountType, staffRole });
}

async function deleteRow({ deps, clock }: Shop, { id }: Person): Promise<void> {
  await deps.db
    .updateTable("members")
    .set({ deleted_at: clock.now() })
    .where("id", "=", id)
    .execute();
}

const strangeKey = { key: randomBytes(32) };

type Forgery = { age?: number; key?: Buffer; alg?: string; audience?: string; issuer?: string };

/** Makes a token like those from `server/http/access-tokens.ts`, with forged parts. */
async function bearer(shop: Shop, { id, sessionId }: Person, forged: Forgery) {
  const { age = 0, alg = "HS256", audience = "secondlap-api", issuer = "secondlap" } = forged;
  const issued = new Date(shop.clock.now().getTime() - age * 60_000);
  const token = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg })
    .setSubject(id)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issued)
    .setExpirationTime(new Date(issued.getTime() + 15 * 60_000))
    .sign(forged.key ?? serverKey(shop));
  return { authorization: `Bearer ${token}` };
}

function serverKey({ deps }: Shop): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", deps.config.secret, "", "access tokens", 32));
}

function unsigned({ clock }: Shop, { id, sessionId }: Person) {
  const token = new UnsecuredJWT({ sid: sessionId })
    .setSubject(id)
    .setIssuer("secondlap")
    .setAudience("secondlap-api")
    .setExpirationTime(new Date(clock.now().getTime() + 60_000))
    .encode();
  return { authorization: `Bearer ${token}` };
}

/** Returns a kind of member that may make the call. Impostors claim to be of this kind. */
export function kindFor({ access }: Call): Kind {
  if (staffWords.admin.includes(access)) return "admin";
  return access === "seller" ? access : "buyer";
}
