import { formatPrice, roundCents, toCents } from "./price.ts";

/** Amounts are in the shop's currency. `cap`: null for no limit. */
export type FeeRule = { percent: number; fixed: number; minimum: number; cap: number | null };

/** The largest values that an owner can set. */
export const maxFee = { percent: 50, fixed: 100_000, minimum: 100_000, cap: 10_000_000 };

export const noFee: FeeRule = { percent: 0, fixed: 0, minimum: 0, cap: null };

/** The fee in cents. `cents`: the sale's price minus refunds, which the fee never exceeds. */
export function feeOf(cents: number, { percent, fixed, minimum, cap }: FeeRule): number {
  const share = roundCents((cents * percent) / 100) + centsOf(fixed);
  const max = cap === null ? Number.POSITIVE_INFINITY : centsOf(cap);
  const limited = Math.min(Math.max(share, centsOf(minimum)), max);
  return Math.max(0, Math.min(limited, cents));
}

/** Rounds, because the owner may have typed the rule for another currency. */
function centsOf(amount: number): number {
  return roundCents(toCents(amount));
}

/** Such as "5 percent of the price plus $1, at most $50". Empty for no fee. */
export function feeText({ percent, fixed, minimum, cap }: FeeRule): string {
  const minAmount = Math.min(Math.max(fixed, minimum), cap ?? Number.POSITIVE_INFINITY);
  if (percent === 0 || minAmount === cap) return minAmount > 0 ? formatPrice(minAmount) : "";
  const share = `${percent} percent of the price${fixed > 0 ? ` plus ${formatPrice(fixed)}` : ""}`;
  const limits = [
    minimum > fixed && `at least ${formatPrice(minimum)}`,
    cap !== null && `at most ${formatPrice(cap)}`,
  ].filter((limit) => limit !== false);
  return limits.length > 0 ? `${share}, ${limits.join(" and ")}` : share;
}
