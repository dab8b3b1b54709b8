import { CallError } from "#contract/client.ts";
import type { AccountType } from "#contract/members.ts";
import type { StaffRole } from "#contract/roles.ts";
import { sessionCookie, signInDirectly } from "../adapters/identity/testing.ts";
import { newId } from "../db/ids.ts";
import type { Member } from "../db/member.ts";
import { type Caller, callsOver } from "./marketplace.ts";
import type { Shop } from "./shop.ts";

export type Person = Caller & {
  id: string;
  email: string;
  name: string;
  sessionId: string;
  cookie: string;
  /** Issues an access token whose time comes from the shop's clock. */
  token(): Promise<string>;
};

/** Inserts a member with an account and a session, but no password. */
export async function member(
  shop: Shop,
  {
    accountType = "buyer",
    isAdmin = false,
    staffRole = isAdmin ? "owner" : null,
    verify = false,
    confirmed = true,
  }: Partial<Record<"isAdmin" | "verify" | "confirmed", boolean>> & {
    accountType?: AccountType;
    staffRole?: StaffRole | null;
  } = {},
): Promise<Person> {
  const at = shop.clock.now();
  const id = newId(at);
  const name = `${staffRole ? "Admin" : accountType} ${id.slice(-4)}`;
  const email = `${id.slice(-12)}@example.com`;
  await shop.deps.db
    .insertInto("members")
    .values({
      id,
      name,
      email,
      account_type: accountType,
      staff_role: staffRole,
      verify,
      created_at: at,
      confirmed_at: confirmed ? at : null,
    })
    .execute();
  const session = await signInDirectly(shop.deps.db, { id, name, email });
  const sessionId = session.id;
  const cookie = sessionCookie(session.token, shop.deps.config.secret);
  const token = () => shop.tokens.issue({ memberId: id, sessionId });
  return { id, name, email, sessionId, cookie, token, ...callsWith(shop, token) };
}

export function memberOf({ id, name, email }: Person): Member {
  const roles = { isAdmin: false, staffRole: null, isSeller: false, alsoBuys: false };
  return { id, name, email, ...roles, verify: false, confirmed: true, isSuspended: false };
}

export function createVisitor(shop: Shop): Caller {
  return callsWith(shop);
}

function callsWith(shop: Shop, token?: Person["token"]): Caller {
  return callsOver({ host: `${shop.url}/api`, fetch, ...(token && { token }) });
}

/** Returns the `CallError` of a call. Throws if the call succeeds, or fails with another error. */
export async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const answer = await call.then(
    (answered) => answered,
    (error: unknown) => error,
  );
  if (answer instanceof CallError) return answer;
  throw new Error(`answered instead of refused: ${JSON.stringify(answer)}`, { cause: answer });
}

export async function anyCategory(shop: Shop): Promise<string> {
  const { id } = await shop.deps.db
    .selectFrom("categories")
    .select("id")
    .where("hidden", "=", false)
    .orderBy("position")
    .executeTakeFirstOrThrow();
  return id;
}
