import type { IdentityHooks, SecondFactorChange } from "../../adapters/identity/port.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { addressBlocked, isAddressBlocked } from "../members/blocked-addresses.ts";
import { confirmAddressOf } from "../members/confirmation.ts";
import { findMemberByEmail } from "../members/members.ts";
import { accountSuspended } from "../members/suspension.ts";
import { clearFailedSignIns } from "./auth-throttling.ts";
import { requestPasswordReset } from "./password-reset.ts";

type With = Pick<Deps, "db" | "config" | "rateLimiter" | "clock">;

/**
 * Connects the identity service to members, emails, rate limits and the audit log
 * (decisions/identity).
 */
export function identityHooks({ db, config, rateLimiter, clock }: With): IdentityHooks {
  return {
    async refuseNewAccount(email) {
      if (!(await isAddressBlocked(db, config, email))) return undefined;
      return { code: "ADDRESS_BLOCKED", message: addressBlocked };
    },
    async refuseSignIn(email) {
      if ((await findMemberByEmail(db, email))?.isSuspended !== true) return undefined;
      return { code: "ACCOUNT_SUSPENDED", message: accountSuspended };
    },
    requestPasswordReset: (email) => requestPasswordReset(db, email),
    clearFailedSignIns: (account) => clearFailedSignIns(rateLimiter, account),
    onPasswordReset: recordPasswordReset,
    onAddressVerified: recordVerifiedAddress,
    onSecondFactorChange: (tx, change) => recordFactorChange(tx, { ...change, at: clock.now() }),
  };
}

/** Records a password reset, and confirms the address that the reset link was mailed to. */
async function recordPasswordReset(tx: Tx, { email, at }: { email: string; at: Date }) {
  const member = await findMemberByEmail(tx, email);
  if (!member) return;
  await confirmAddressOf(tx, member.id, at);
  const verb = "reset password";
  await recordAudit(tx, { at, actor: member.id, verb, object: "member", objectId: member.id });
}

async function recordVerifiedAddress(tx: Tx, { email, at }: { email: string; at: Date }) {
  const member = await findMemberByEmail(tx, email);
  if (!member || !(await confirmAddressOf(tx, member.id, at))) return;
  const verb = "confirm address";
  await recordAudit(tx, { at, actor: member.id, verb, object: "member", objectId: member.id });
}

async function recordFactorChange(
  tx: Tx,
  { email, by, action, at }: SecondFactorChange & { at: Date },
): Promise<void> {
  const member = await findMemberByEmail(tx, email);
  if (!member) return;
  const actor = by === "owner" ? member.id : null;
  await recordAudit(tx, { at, actor, verb: action, object: "member", objectId: member.id });
}
