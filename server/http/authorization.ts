import type { FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import type { Expression, SqlBool } from "kysely";
import type { Call } from "#contract/call.ts";
import { formatRoles } from "#contract/format-roles.ts";
import {
  type Access,
  isAccess,
  isBuyer,
  isStaffAccess,
  mayAct,
  type StaffAccess,
} from "#contract/roles.ts";
import { email as emailSchema } from "#contract/text.ts";
import { type AuthenticatedSession, clientAddressHeader } from "../adapters/identity/port.ts";
import type { Tx } from "../db/database.ts";
import type { Member } from "../db/member.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Tokens } from "./access-tokens.ts";

export type Caller<A extends Access> = A extends "public" | "provider"
  ? undefined
  : A extends "identity"
    ? AuthenticatedSession
    : Member;

declare module "fastify" {
  interface FastifyRequest {
    caller: Member | AuthenticatedSession | undefined;
    sessionId: string;
  }
}

/** `findActiveMember` may throw `ACCOUNT_SUSPENDED`. */
export type Authorization = {
  deps: Deps;
  tokens: Tokens;
  findActiveMember: (
    tx: Tx,
    id: string,
    condition: Expression<SqlBool>,
  ) => Promise<Member | undefined>;
};

/** Runs before the body is read. The caller's roles come from the database, not the token. */
export function authorizationHook(
  call: Call,
  authorization: Authorization,
): preParsingAsyncHookHandler {
  if (!isAccess(call.access)) {
    throw new Error(`${call.method} ${call.path} has no access word.`);
  }
  return async (request) => {
    const caller = await authorize(call.access, request, authorization);
    if (call.confirmed && authorization.deps.config.confirmAddresses) requireConfirmed(caller);
    request.caller = caller;
  };
}

function requireConfirmed(caller: Member | AuthenticatedSession | undefined): void {
  if (caller && "confirmed" in caller && caller.confirmed) return;
  throw new AppError(
    "ADDRESS_NOT_CONFIRMED",
    "Please confirm your email address first: open the link we emailed you, or have it sent again from your dashboard.",
  );
}

async function authorize(access: Access, request: FastifyRequest, authorization: Authorization) {
  const { deps } = authorization;
  if (access === "public" || access === "provider") return undefined;
  if (access === "identity") return await authenticateIdentity(request, deps);
  const member = await authenticateMember(request, authorization);
  const needsFactor = member.isAdmin && (await isMissingSecondFactor(request, deps));
  if (access === "self") return requireSelf(request, member, needsFactor);
  // Without a required second factor, an admin has only the rights of an ordinary member.
  if (access === "member")
    return needsFactor ? { ...member, isAdmin: false, staffRole: null } : member;
  if (isStaffAccess(access)) {
    requireStaff(member, access);
    if (needsFactor) throw factorRequired();
    return member;
  }
  const allowed = { buyer: isBuyer(member), seller: member.isSeller }[access];
  if (!allowed) throw new AppError("FORBIDDEN", forbidden[access]);
  return member;
}

function requireStaff({ staffRole }: Member, access: StaffAccess): void {
  if (mayAct(staffRole, access)) return;
  throw new AppError("FORBIDDEN", `Only ${formatRoles(staffRole, access)} can do this.`);
}

async function isMissingSecondFactor({ sessionId }: FastifyRequest, deps: Deps): Promise<boolean> {
  if (!deps.config.requireAdminSecondFactor) return false;
  return !(await deps.identity.sessions.hasShownSecondFactor(deps.db, sessionId));
}

function factorRequired(): AppError {
  return new AppError(
    "SECOND_FACTOR_REQUIRED",
    "Admins need two-step verification. Set it up under Profile, then log in with it.",
  );
}

const forbidden = {
  buyer: "Only buyers can do this. You can buy with this account too: see your profile.",
  seller: "Only sellers can do this. You can sell with this account too: see your profile.",
};

async function authenticateIdentity(
  request: FastifyRequest,
  deps: Deps,
): Promise<AuthenticatedSession> {
  const proof = await deps.identity.authenticate(identityHeaders(request));
  if (!proof) throw new AppError("NOT_SIGNED_IN", "Please sign in.");
  return proof;
}

async function authenticateMember(
  request: FastifyRequest,
  { deps, tokens, findActiveMember }: Authorization,
): Promise<Member> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const { sessions } = deps.identity;
  const claims = token === undefined ? undefined : await tokens.verify(token);
  const member =
    claims && (await findActiveMember(deps.db, claims.memberId, sessions.isLive(claims.sessionId)));
  if (!claims || !member) throw new AppError("NOT_SIGNED_IN", "Please sign in.");
  request.sessionId = claims.sessionId;
  return member;
}

function requireSelf(request: FastifyRequest, member: Member, needsFactor: boolean): Member {
  const { email } = request.params as { email?: unknown };
  const wanted = emailSchema.safeParse(email);
  if (wanted.success && wanted.data === member.email) return member;
  if (member.isAdmin && needsFactor) throw factorRequired();
  const { call } = request.routeOptions.config;
  const isDeal = call !== undefined && "reads" in call && call.reads.includes("bookings");
  if (mayAct(member.staffRole, isDeal ? "deals" : "admin")) return member;
  throw new AppError("NOT_FOUND", "We couldn't find that.");
}

const freshForMs = 10 * 60_000;

/**
 * Throws unless the member signed in or confirmed their password within ten minutes:
 * `CONFIRM_PASSWORD`, or `CONFIRM_PROVIDER` for a member without a password.
 */
export async function requireFreshSession(
  { db, clock, identity }: Deps,
  { caller, sessionId }: FastifyRequest,
): Promise<void> {
  const since = new Date(clock.now().getTime() - freshForMs);
  if (await identity.sessions.isFresh(db, sessionId, since)) return;
  if (await identity.accounts.hasPassword(db, caller?.email ?? ""))
    throw new AppError("CONFIRM_PASSWORD", "Enter your password to confirm that it is you.");
  throw new AppError(
    "CONFIRM_PROVIDER",
    "Continue with your sign-in provider again to confirm that it is you.",
  );
}

/** The request's headers and the client's IP address, for the identity service. */
export function identityHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  headers.set(clientAddressHeader, request.ip);
  return headers;
}
