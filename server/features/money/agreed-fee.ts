import { sql } from "kysely";
import { type FeeRule, noFee } from "#contract/fee.ts";
import type { Deps } from "../../deps.ts";

/** The fee rule for a hold that begins now: the owner's, or else the rate in `FEE_PERCENT`. */
export function currentFee(deps: Pick<Deps, "shop" | "config">): FeeRule {
  return deps.shop.get().fee ?? feeOfEnvironment(deps);
}

export function feeOfEnvironment({ config }: Pick<Deps, "config">): FeeRule {
  return { ...noFee, percent: config.settlement.feePercent };
}

/**
 * SQL: the fee rule of a booking. It is agreed when the hold begins, so that a later change to the
 * shop's fee doesn't affect what the seller gets.
 */
export const agreedFee = sql<FeeRule>`bookings.fee`.as("fee");
