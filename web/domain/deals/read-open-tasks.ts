import { listOffers } from "#contract/offers.ts";
import { readPayoutAccount } from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { browserApi } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import type { NextStep } from "./ToDo.tsx";

/** Reads which offers a member must answer, and whether a seller must connect a bank to be paid. */
export async function readOpenTasks(role: "buyer" | "seller"): Promise<NextStep[]> {
  const [offers, account] = await Promise.all([
    browserApi(listOffers, { query: { open: "true" } }),
    role === "seller" ? browserApi(readPayoutAccount, {}) : undefined,
  ]);
  const tasks = offers.body
    .filter((offer) => offer.role === role && !offer.mine && !offer.belowFloor)
    .map(({ price, product, expiresAt }) => {
      const what = `the offer of ${formatPrice(price)} for ${product.product_name}`;
      const task = `Answer ${what} by ${formatDateTime(expiresAt)}`;
      return { label: "Answer", to: paths.offers(), task };
    });
  const { waiting = 0, canReceive } = account?.body ?? {};
  if (waiting === 0 || canReceive) return tasks;
  const task = `Connect a bank to get your ${formatPrice(waiting)}`;
  return [...tasks, { label: "Connect", to: paths.payouts(), task }];
}
