import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { postJournals } from "../ledger/post-journal.ts";

/** `id`: identifies what the credit is for. */
type Earning = { memberId: string; id: string; cents: number };

/** Gives a member credit, once for each `id`. */
export async function earnCredit(
  tx: Tx,
  { config, clock }: Pick<Deps, "config" | "clock">,
  { memberId, id, cents }: Earning,
): Promise<void> {
  if (cents === 0) return;
  const subject = { bookingId: null, currency: config.currency, at: clock.now() };
  const key = `credit_earned:${id}`;
  const entries = { marketing: cents, credits: -cents };
  await postJournals(tx, subject, [
    { kind: "credit_earned", key, reference: null, memberId, entries },
  ]);
}
