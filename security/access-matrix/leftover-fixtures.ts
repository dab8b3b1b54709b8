import { DealJournals } from "#server/features/ledger/deal-journals.ts";
import { postJournals } from "#server/features/ledger/post-journal.ts";
import type { Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

type Others = { handedOver(party: Person, isClosed: true): Promise<string> };

export function createLeftoverFixtures({ deps, clock }: Shop, { handedOver }: Others) {
  return {
    async leftover(party: Person, amountCents: number): Promise<string> {
      const bookingId = await handedOver(party, true);
      const journals = new DealJournals([]);
      journals.charge({ id: `pi_${bookingId}`, amountCents });
      const deal = { bookingId, currency: deps.shop.currency, at: clock.now() };
      await deps.db.transaction().execute((tx) => postJournals(tx, deal, journals.added()));
      return bookingId;
    },
  };
}
