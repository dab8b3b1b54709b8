import { sql } from "kysely";
import { type FeeRule, noFee } from "#contract/fee.ts";
import { type PromoRules, ruleCents, withAmounts } from "#contract/invitation-rules.ts";
import { toCents, toDollars } from "#contract/price.ts";
import type { DealTimes } from "#contract/shop-settings.ts";
import type { Deps } from "../../deps.ts";

type Known = Pick<Deps, "shop" | "config">;

/** The fee rule for a hold that begins now: the owner's setting, or else `FEE_PERCENT`. */
export function currentFee({ shop, config }: Known): FeeRule {
  return shop.get().fee ?? { ...noFee, percent: config.settlement.feePercent };
}

/** The times for a deal that begins now: the owner's setting, or else the environment's. */
export function currentTimes({ shop, config }: Known): DealTimes {
  return shop.get().times ?? config.times;
}

/** The promo for a hold that begins now: the owner's setting, or else the environment's. */
export function currentPromo({ shop, config }: Known): PromoRules {
  const { promo } = shop.get();
  return promo ? withAmounts(promo, (amount) => toCents(amount) / 100) : config.invitations.promo;
}

/** The terms in the environment variables, converted to the units of the owner's settings. */
export function defaultTerms({ config }: Pick<Deps, "config">) {
  return {
    fee: { ...noFee, percent: config.settlement.feePercent },
    times: config.times,
    promo: withAmounts(config.invitations.promo, (amount) => toDollars(ruleCents(amount))),
  };
}

/**
 * The terms to store with a new booking. They keep what buyer, seller and inviter were promised,
 * even if the shop's settings change later.
 */
export function termsOfHold(deps: Known) {
  const { handoverDays, complaintHours } = currentTimes(deps);
  return {
    fee: JSON.stringify(currentFee(deps)),
    handover_minutes: Math.round(handoverDays * 24 * 60),
    complaint_minutes: Math.round(complaintHours * 60),
    promo: JSON.stringify(currentPromo(deps)),
  };
}

/** SQL: the fee rule of a booking. */
export const agreedFee = sql<FeeRule>`bookings.fee`.as("fee");

/** SQL: the promo of a booking. */
export const agreedPromo = sql<PromoRules>`bookings.promo`.as("promo");

/** SQL on `bookings`: the price, in cents, that an invited friend's purchase must exceed. */
export const promoOverCents = sql<number>`((bookings.promo->>'discountOver')::numeric * 100)`;
