import type { FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import type { Call } from "#contract/call.ts";
import { type Access, accessWords, isBuyer } from "#contract/roles.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { ProofInSession } from "../adapters/identity/port.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { findMember, type Member } from "../features/members/members.ts";
import { accountSuspended } from "../features/members/suspension.ts";
import type { Tokens } from "./access-tokens.ts";

/** Who makes the call, as its access word lets a handler know them. */
export type Caller<A extends Access> = A extends "public" | "provider"
  ? undefined
  : A extends "identity"
    ? ProofInSession
    : Member;

declare module "fastify" {
  interface FastifyRequest {
    caller: Member | ProofInSession | undefined;
    /** The session a member's token was issued in. */
    sessionId: string;
  }
}

/**
 * The gate in front of a call, by its access word. It runs before the body is read, and decides from
 * the database, never from what a token claims beyond who it is.
 */
export function authorizationHook(
  call: Call,
  deps: Deps,
  tokens: Tokens,
): preParsingAsyncHookHandler {
  if (!accessWords.includes(call.access)) {
    throw new Error(`${call.method} ${call.path} has no access word.`);
  }
  return async (request) => {
    const caller = await admit(call.access, request, { deps, tokens });
    if (call.confirmed && deps.config.confirmAddresses) requireConfirmed(caller);
    request.caller = caller;
  };
}

function requireConfirmed(caller: Member | ProofInSession | undefined): void {
  if (caller && "confirmed" in caller && caller.confirmed) return;
  throw new AppError(
    "ADDRESS_NOT_CONFIRMED",
    "Please confirm your email address first: open the link we mailed you, or have it sent again from your dashboard.",
  );
}

type With = { deps: Deps; tokens: Tokens };

async function admit(access: Access, request: FastifyRequest, { deps, tokens }: With) {
  if (access === "public" || access === "provider") return undefined;
  if (access === "identity") return await proven(request, deps);
  const member = await signedIn(request, { deps, tokens });
  const lacksFactor = member.isAdmin && (await lacksSecondFactor(request, deps));
  if (access === "self") return self(request, member, lacksFactor);
  // Without it nothing is done as an admin, in calls for every member neither.
  if (access === "member") return lacksFactor ? { ...member, isAdmin: false } : member;
  const admitted = { buyer: isBuyer(member), seller: member.isSeller, admin: member.isAdmin }[
    access
  ];
  if (!admitted) throw new AppError("FORBIDDEN", notFor[access]);
  if (access === "admin" && lacksFactor) throw factorRequired();
  return member;
}

async function lacksSecondFactor({ sessionId }: FastifyRequest, deps: Deps): Promise<boolean> {
  if (!deps.config.requireAdminSecondFactor) return false;
  return !(await deps.identity.hasShownSecondFactor(sessionId));
}

function factorRequired(): AppError {
  return new AppError(
    "SECOND_FACTOR_REQUIRED",
    "Admins need two-step verification. Set it up under Profile, then log in with it.",
  );
}

const notFor = {
  buyer: "Only buyers can do this. Sign in with a buyer's account.",
  seller: "Only sellers can do this. Sign in with a seller's account.",
  admin: "Only admins can do this.",
};

async function proven(request: FastifyRequest, deps: Deps): Promise<ProofInSession> {
  const proof = await deps.identity.prove(webHeaders(request));
  if (!proof) throw new AppError("NOT_SIGNED_IN", "Please sign in.");
  return proof;
}

async function signedIn(request: FastifyRequest, { deps, tokens }: With): Promise<Member> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const bearer = token === undefined ? undefined : await tokens.read(token);
  const live = bearer !== undefined && (await deps.identity.isLive(bearer.sessionId));
  const member = live ? await findMember(deps.db, bearer.memberId) : undefined;
  if (!bearer || !member) throw new AppError("NOT_SIGNED_IN", "Please sign in.");
  if (member.isSuspended) throw new AppError("ACCOUNT_SUSPENDED", accountSuspended);
  request.sessionId = bearer.sessionId;
  return member;
}

function self(request: FastifyRequest, member: Member, lacksFactor: boolean): Member {
  const { email } = request.params as { email?: unknown };
  const wanted = emailSchema.safeParse(email);
  if (wanted.success && wanted.data === member.email) return member;
  if (member.isAdmin && lacksFactor) throw factorRequired();
  if (member.isAdmin) return member;
  throw new AppError("NOT_FOUND", "There is nothing here for you.");
}

/** The headers of a request as the web platform's own class. */
export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}
