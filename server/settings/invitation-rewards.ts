import { z } from "zod";
import {
  type InvitationLimits,
  type PromoRules,
  specifiedRules,
} from "#contract/invitation-rules.ts";
import { between, wholeNumberBetween } from "./fields.ts";

function amount(max: number, unit = "dollars") {
  const message = `must be a number of ${unit} from 0 to ${max}, with at most two decimals`;
  return z.coerce.number(message).min(0, message).max(max, message).multipleOf(0.01, message);
}

const count = wholeNumberBetween(0, 1_000, "must be a whole number from 0 to 1000");

/** Settings for invitation rewards (decisions/rewards). */
export const invitationFields = {
  INVITE_CREDIT: amount(100).default(specifiedRules.inviteCredit),
  INVITE_DISCOUNT_PERCENT: amount(90, "percent").default(specifiedRules.discountPercent),
  INVITE_DISCOUNT_OVER: amount(100_000).default(specifiedRules.discountOver),
  INVITE_DISCOUNT_CAP: amount(10_000).default(specifiedRules.discountCap),
  INVITE_PURCHASE_CREDIT: amount(100).default(specifiedRules.purchaseCredit),
  INVITE_DISCOUNTS_PER_INVITER: count.default(specifiedRules.discountsPerInviter),
  INVITE_DISCOUNTS_PER_SELLER: count.default(specifiedRules.discountsPerSeller),
  INVITE_CREDIT_PER_SELLER: amount(100_000).default(specifiedRules.creditPerSeller),
  /** The budget for all invitations within 30 days. */
  INVITE_BUDGET_MONTH: amount(10_000_000).default(specifiedRules.monthlyBudget),
  CREDIT_DAYS: between(30, 3_650, "days").default(365),
};

type InvitationFields = z.output<z.ZodObject<typeof invitationFields>>;

export function invitationRewards(set: InvitationFields) {
  const promo: PromoRules = {
    inviteCredit: set.INVITE_CREDIT,
    discountPercent: set.INVITE_DISCOUNT_PERCENT,
    discountOver: set.INVITE_DISCOUNT_OVER,
    discountCap: set.INVITE_DISCOUNT_CAP,
    purchaseCredit: set.INVITE_PURCHASE_CREDIT,
  };
  const limits: InvitationLimits = {
    discountsPerInviter: set.INVITE_DISCOUNTS_PER_INVITER,
    discountsPerSeller: set.INVITE_DISCOUNTS_PER_SELLER,
    creditPerSeller: set.INVITE_CREDIT_PER_SELLER,
    monthlyBudget: set.INVITE_BUDGET_MONTH,
  };
  return { promo, limits, creditMs: set.CREDIT_DAYS * 24 * 3_600_000 };
}
