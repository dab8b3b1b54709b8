import type { z } from "zod";
import type { correctDifference as call } from "#contract/ledger.ts";
import { toCents } from "#contract/price.ts";
import { transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { findDifferences } from "./differences.ts";
import { postJournals } from "./post-journal.ts";

/** Throws `STALE` if the amount changed. */
export async function correctDifference(
  { db, clock, shop: { currency } }: Deps,
  admin: Member,
  { reference, amount, account, reason }: z.output<typeof call.body>,
): Promise<void> {
  const at = clock.now();
  await transact(db, "correctDifference", async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("ledger_differences")
      .where("reference", "=", reference)
      .executeTakeFirst();
    const [found] = numDeletedRows > 0n ? await findDifferences(tx, [reference]) : [];
    const cents = found ? found.providerCents - found.ledgerCents : 0;
    if (cents === 0 || cents !== toCents(amount))
      throw new AppError("STALE", "This difference has changed. Load the page again.");
    const id = newId(at);
    const entries = { stripe_clearing: cents, [account]: -cents };
    const journal = { kind: "correction", key: `correction:${id}`, reference, entries } as const;
    await postJournals(tx, { bookingId: null, currency, at }, [journal]);
    const by = { at, actor: admin.id, verb: "correct", object: "journal", objectId: id } as const;
    await recordAudit(tx, { ...by, detail: { reference, cents, account, reason } });
  });
}
