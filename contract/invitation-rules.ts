import { formatPrice, roundCents, toDollars } from "./price.ts";

/**
 * Amounts in hundreds of cents: 10 is $10, €10 or ¥1,000. A purchase keeps the rules that applied
 * when its hold began.
 */
export type PromoRules = {
  /** Given to the inviter after the friend's purchase over `discountOver` is paid out. */
  inviteCredit: number;
  /** Discount on the friend's first purchase over `discountOver`, up to `discountCap`. */
  discountPercent: number;
  discountOver: number;
  discountCap: number;
  /** For the inviter's next purchase, given at the same time as `inviteCredit`. */
  purchaseCredit: number;
};

/** Limits against fake accounts. Amounts are in hundreds of cents, as in `PromoRules`. */
export type InvitationLimits = {
  /** Maximum number of discounts within 30 days. */
  discountsPerInviter: number;
  discountsPerSeller: number;
  /** Maximum credit that all buyers together can spend on one seller's laptops within 30 days. */
  creditPerSeller: number;
  /** All rewards and discounts within 30 days. */
  monthlyBudget: number;
};

/** Specification 9 sets the $10, the 15%, the $200 and the $20. The other values are ours. */
export const specifiedRules: PromoRules & InvitationLimits = {
  inviteCredit: 10,
  discountPercent: 15,
  discountOver: 200,
  discountCap: 150,
  purchaseCredit: 20,
  discountsPerInviter: 5,
  discountsPerSeller: 5,
  creditPerSeller: 150,
  monthlyBudget: 1_000,
};

export const invitationDays = 30;

/** The 30-day limits, each of which can leave an invited friend without a discount. */
export const noDiscountReasons = ["inviter", "seller", "budget"] as const;
export type NoDiscount = (typeof noDiscountReasons)[number];

export const invitationReasons: Record<string, string> = {
  card: "The friend paid with a card that another member has paid with.",
  budget: "Its reward is over what the shop gives for invitations in 30 days.",
  browser: "The friend signed up in a browser that another member has used.",
  domain:
    "The friend's email domain is also that of the inviter, of another friend of theirs, or of the seller.",
  network:
    "The friend's network is also that of the inviter, of another friend of theirs, or of the seller.",
  "mailbox of another account": "The friend's email address belongs to another account.",
  "disposable address": "The friend's email address is a disposable one.",
};

export type Promo = { sentence: string; offers: { amount: string; text: string }[] };

export function ruleCents(amount: number): number {
  return roundCents(amount * 100);
}

export function inviterCents({ inviteCredit, purchaseCredit }: PromoRules): number {
  return ruleCents(inviteCredit + purchaseCredit);
}

export function withAmounts(promo: PromoRules, convert: (amount: number) => number): PromoRules {
  return {
    discountPercent: promo.discountPercent,
    discountOver: convert(promo.discountOver),
    discountCap: convert(promo.discountCap),
    inviteCredit: convert(promo.inviteCredit),
    purchaseCredit: convert(promo.purchaseCredit),
  };
}

function formatRule(amount: number): string {
  return formatPrice(toDollars(ruleCents(amount)));
}

export function promoOf(rules: PromoRules): Promo {
  const { inviteCredit, discountPercent, discountOver, purchaseCredit } = rules;
  const [forInviting, cap, over, later] = [
    formatRule(inviteCredit),
    formatRule(rules.discountCap),
    formatRule(discountOver),
    formatRule(purchaseCredit),
  ];
  // An owner turns off a credit by setting it to 0.
  const they = inviteCredit
    ? `Get ${forInviting} off for inviting a friend. They`
    : "Friends you invite";
  const next = purchaseCredit ? `, and you get ${later} off your next one` : "";
  const arrival = inviterCents(rules) ? " Your credit arrives once their purchase is final." : "";
  return {
    sentence: `${they} get ${discountPercent}% off their first purchase over ${over} (up to ${cap})${next}.${arrival} While supplies last.`,
    offers: [
      { amount: forInviting, text: "off, for inviting a friend" },
      { amount: `${discountPercent}%`, text: `off their first purchase over ${over}` },
      { amount: later, text: "off your next purchase" },
    ].filter(({ amount }) => amount !== formatRule(0)),
  };
}

export function friendOffer(rules: PromoRules): string {
  const { discountPercent, discountOver, discountCap } = rules;
  return `${discountPercent}% off your first purchase over ${formatRule(discountOver)}, up to ${formatRule(discountCap)}, while supplies last`;
}
