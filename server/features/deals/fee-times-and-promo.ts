import { sql } from "kysely";
import { type FeeRule, noFee } from "#contract/fee.ts";
import { type PromoRules, withAmounts } from "#contract/invitation-rules.ts";
import { toCents } from "#contract/price.ts";
import type { DealTimes } from "#contract/shop-settings.ts";
import type { Deps } from "../../deps.ts";

type Known = Pick<Deps, "shop" | "config">;

/** Returns the fee for a hold that begins now. Earlier holds keep their terms (`termsOfHold`). */
export function currentFee({ shop, config }: Known): FeeRule {
  return shop.get().fee ?? { ...noFee, percent: config.settlement.feePercent };
}

export function currentTimes({ shop, config }: Known): DealTimes {
  return shop.get().times ?? config.times;
}

export function currentPromo({ shop, config }: Known): PromoRules {
  const { promo } = shop.get();
  return promo ? withAmounts(promo, (amount) => toCents(amount) / 100) : config.invitations.promo;
}

/** Returns the configured terms. */
export function defaultTerms({ config }: Pick<Deps, "config">) {
  return {
    fee: { ...noFee, percent: config.settlement.feePercent },
    times: config.times,
    promo: config.invitations.promo,
  };
}

/** Returns the current terms as columns of a new booking, which keeps them. */
export function termsOfHold(deps: Known) {
  const { handoverDays, complaintHours } = currentTimes(deps);
  return {
    fee: JSON.stringify(currentFee(deps)),
    handover_minutes: Math.round(handoverDays * 24 * 60),
    complaint_minutes: Math.round(complaintHours * 60),
    promo: JSON.stringify(currentPromo(deps)),
  };
}

export const agreedFee = sql<FeeRule>`bookings.fee`.as("fee");

export const agreedPromo = sql<PromoRules>`bookings.promo`.as("promo");

/** SQL on `bookings`, in cents. An invited friend gets a discount only above this price. */
export const promoOverCents = sql<number>`((bookings.promo->>'discountOver')::numeric * 100)`;
