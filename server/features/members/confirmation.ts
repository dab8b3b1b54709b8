import { type Tx, transact } from "../../db/database.ts";
import { recordOwnChange } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import type { EmailMessage } from "../../email/email.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import { hashToken, randomToken } from "../../keyed-hash.ts";
import { refuseSecondAccount } from "../rewards/join-by-invitation.ts";

const validForMs = 24 * 3_600_000;
const minIntervalMs = 60_000;

type Recipient = { id: string; email: string };

/** Returns true, or false if the address was already confirmed or the member is deleted. */
export async function confirmAddressOf(tx: Tx, memberId: string, at: Date): Promise<boolean> {
  const confirmed = await tx
    .updateTable("members")
    .set({ confirmed_at: at })
    .where("id", "=", memberId)
    .where("confirmed_at", "is", null)
    .where("deleted_at", "is", null)
    .returning(["id", "email"])
    .executeTakeFirst();
  if (confirmed) await refuseSecondAccount(tx, confirmed, at);
  return confirmed !== undefined;
}

/** Returns false if the daily limit prevents the email, otherwise true. */
export async function mailConfirmation(
  tx: Tx,
  { clock, config, emailQueue }: Deps,
  { id, email }: Recipient,
): Promise<boolean> {
  const at = clock.now();
  const token = randomToken();
  const expires_at = new Date(at.getTime() + validForMs);
  const url = `${config.publicUrl}/confirm-email?token=${token}`;
  const message = { kind: "confirmation", to: email, ...confirmationEmail(url) } as const;
  if (!(await emailQueue.add(tx, message))) return false;
  await tx
    .insertInto("email_confirmations")
    .values({ token_hash: hashToken(token), member_id: id, created_at: at, expires_at })
    .execute();
  return true;
}

/** Throws `ALREADY_CONFIRMED`, or `TOO_MANY_REQUESTS` at a limit (one a minute, five a day). */
export async function resendConfirmation(deps: Deps, { id, email }: Recipient): Promise<void> {
  await transact(deps.db, "resendConfirmation", async (tx) => {
    const { confirmed_at } = await tx
      .selectFrom("members")
      .select("confirmed_at")
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (confirmed_at) throw new AppError("ALREADY_CONFIRMED", "Your email address is confirmed.");
    await requireMinInterval(tx, id, deps.clock.now());
    if (await mailConfirmation(tx, deps, { id, email })) {
      const at = deps.clock.now();
      return await recordOwnChange(tx, { at, member: id, verb: "resend confirmation" });
    }
    const message =
      "We sent you five links today. Look for them in your spam folder, or ask again tomorrow.";
    throw new TooManyRequests(24 * 3_600, message);
  });
}

async function requireMinInterval(tx: Tx, memberId: string, now: Date): Promise<void> {
  const last = await tx
    .selectFrom("email_confirmations")
    .select("created_at")
    .where("member_id", "=", memberId)
    .where("created_at", ">", new Date(now.getTime() - minIntervalMs))
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  throw new TooManyRequests(60, "We sent you a link a moment ago. Wait a minute to get another.");
}

/**
 * Needs no session. Throws `LINK_EXPIRED` for an unknown link, and for an expired link unless the
 * address is already confirmed.
 */
export async function confirmAddress(deps: Deps, token: string): Promise<{ already: boolean }> {
  const at = deps.clock.now();
  return await transact(deps.db, "confirmAddress", async (tx) => {
    const link = await tx
      .selectFrom("email_confirmations")
      .innerJoin("members", "members.id", "member_id")
      .select(["member_id", "confirmed_at", "expires_at"])
      .where("token_hash", "=", hashToken(token))
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (!link || (link.expires_at <= at && !link.confirmed_at))
      throw new AppError(
        "LINK_EXPIRED",
        "This link has expired or is incomplete. Log in, and have a new one sent to you.",
      );
    const { member_id: id } = link;
    if (!(await confirmAddressOf(tx, id, at))) return { already: true };
    await recordOwnChange(tx, { at, member: id, verb: "confirm address" });
    return { already: false };
  });
}

/** The email contains no name: anyone could have signed up with this address under any name. */
export function confirmationEmail(url: string): EmailMessage {
  return {
    name: "address-to-confirm",
    paragraphs: [
      "Thanks for joining {shop}. Please confirm that this is your email address. The link works for 24 hours.",
      "If you didn't sign up for {shop}, please ignore this email and don't confirm: someone may have entered your address by mistake, and they know the password of that account.",
    ],
    action: { label: "Confirm my email address", url },
  };
}
