import type { Kysely } from "kysely";
import type { IdentityHooks, SecondFactorChange } from "../../adapters/identity/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordOwnChange } from "../../db/record-audit.ts";
import type { DB } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import type { EmailMessage } from "../../email/email.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { confirmAddressOf } from "../members/confirmation.ts";
import { refuseName } from "../members/member-name.ts";
import { findMemberByEmail, isAddressBlocked } from "../members/members.ts";
import { accountSuspended } from "../members/suspension.ts";
import { clearFailedSignIns } from "./auth-throttling.ts";

/** Doesn't reveal the reason. */
const addressBlocked = "This address can't be used for a new account right now. Use another one.";

type With = Pick<Deps, "db" | "rateLimiter" | "clock">;

/** See decisions/identity. */
export function identityHooks({ db, rateLimiter, clock }: With): IdentityHooks {
  return {
    async refuseNewAccount(email) {
      if (!(await isAddressBlocked(db, email))) return undefined;
      return { code: "ADDRESS_BLOCKED", message: addressBlocked };
    },
    async refuseSignIn(email) {
      if ((await findMemberByEmail(db, email))?.isSuspended !== true) return undefined;
      return { code: "ACCOUNT_SUSPENDED", message: accountSuspended };
    },
    refuseName,
    requestPasswordReset: (email) => requestPasswordReset(db, email),
    clearFailedSignIns: (account) => clearFailedSignIns(rateLimiter, account),
    onPasswordReset: recordPasswordReset,
    onAddressVerified: recordVerifiedAddress,
    onSecondFactorChange: (tx, change) => recordFactorChange(tx, { ...change, at: clock.now() }),
  };
}

/** Returns whether this is the first confirmation of the address; true without a member. */
async function recordPasswordReset(tx: Tx, { email, at }: { email: string; at: Date }) {
  const member = await findMemberByEmail(tx, email);
  if (!member) return true;
  const isFirstProof = await confirmAddressOf(tx, member.id, at);
  await recordOwnChange(tx, { at, member: member.id, verb: "reset password" });
  return isFirstProof;
}

async function recordVerifiedAddress(tx: Tx, { email, at }: { email: string; at: Date }) {
  const member = await findMemberByEmail(tx, email);
  if (!member || !(await confirmAddressOf(tx, member.id, at))) return;
  await recordOwnChange(tx, { at, member: member.id, verb: "confirm address" });
}

async function recordFactorChange(
  tx: Tx,
  { email, action, at }: SecondFactorChange & { at: Date },
): Promise<void> {
  const member = await findMemberByEmail(tx, email);
  if (member) await recordOwnChange(tx, { at, member: member.id, verb: action });
}

/** Enqueues a job for any address: the response doesn't reveal whether it has an account. */
export async function requestPasswordReset(db: Kysely<DB>, email: string): Promise<string> {
  await transact(db, "requestPasswordReset", (tx) =>
    enqueue(tx, "offerPasswordReset", { payload: { email } }),
  );
  return `If there is an account for ${email}, we've emailed you a link.`;
}

/**
 * Job: mails a link that works once, within an hour. Sends none without an account, within a minute
 * of the last link, or while five are valid, so that strangers can't flood a mailbox.
 */
export async function offerPasswordReset(deps: Deps, email: string): Promise<void> {
  await transact(deps.db, "offerPasswordReset", async (tx) => {
    const token = await deps.identity.resetLinks.create(tx, email, deps.clock.now());
    if (token === undefined) return;
    const url = `${deps.config.publicUrl}/reset-password?token=${token}`;
    await deps.emailQueue.add(tx, { kind: "reset", to: email, ...passwordResetEmail(url) });
  });
}

/** The email contains no name: anyone could have signed up with this address under any name. */
export function passwordResetEmail(url: string): EmailMessage {
  return {
    name: "password-reset",
    paragraphs: [
      "Someone asked to set a new password for the {shop} account with this email address. If that was you, follow the link. It works once, within an hour.",
      "If it wasn't you, just ignore this email. Your password stays the same.",
    ],
    action: { label: "Set a new password", url },
  };
}
