import { formatPrice } from "./price.ts";

/** What invitations earn, in dollars. The shop's settings may change each (`server/settings/invitation-terms.ts`). */
export type InvitationRules = {
  /** Credit for the inviter, for inviting. It is given once the friend's purchase over `discountOver` is released. */
  inviteCredit: number;
  /** Off the friend's first purchase over `discountOver`, up to `discountCap`; the shop pays it. */
  discountPercent: number;
  discountOver: number;
  discountCap: number;
  /** More credit for the inviter, for their next purchase, given at the same time. */
  purchaseCredit: number;
  /** How many discounts the friends of one inviter, and the buyers of one seller, get within 30 days. */
  discountsPerInviter: number;
  discountsPerSeller: number;
  /** How much credit buyers spend on the laptops of one seller within 30 days. */
  creditPerSeller: number;
  /** What all rewards and discounts within 30 days may cost the shop. */
  monthlyBudget: number;
};

/** The figures of specification 9: $10, 15%, over $200, $20; the limits are ours. */
export const specifiedRules: InvitationRules = {
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

/** How long an invitation can be accepted. */
export const invitationDays = 30;

/** What is left to pay by card at least, because card providers take no smaller payments. */
export const leastDue = 1;

/** Why an invited friend gets no discount now: their inviter, the seller or the shop has reached the limit of 30 days. */
export const noDiscountReasons = ["inviter", "seller", "budget"] as const;
export type NoDiscount = (typeof noDiscountReasons)[number];

export type Promo = { sentence: string; offers: { amount: string; text: string }[] };

/** Home's promo. */
export function promoOf(rules: InvitationRules): Promo {
  const { inviteCredit, discountPercent, discountOver, purchaseCredit } = rules;
  const [forInviting, cap, over, later] = [
    formatPrice(inviteCredit),
    formatPrice(rules.discountCap),
    formatPrice(discountOver),
    formatPrice(purchaseCredit),
  ];
  return {
    sentence: `Get ${forInviting} off for inviting a friend. They get ${discountPercent}% off their first purchase over ${over} (up to ${cap}), and you get ${later} off your next one. Your credit arrives once their purchase is final. While supplies last.`,
    offers: [
      { amount: forInviting, text: "off, for inviting a friend" },
      { amount: `${discountPercent}%`, text: `off their first purchase over ${over}` },
      { amount: later, text: "off your next purchase" },
    ],
  };
}

/** What an invited friend gets. */
export function friendOffer(rules: InvitationRules): string {
  const { discountPercent, discountOver, discountCap } = rules;
  return `${discountPercent}% off your first purchase over ${formatPrice(discountOver)}, up to ${formatPrice(discountCap)}, while supplies last`;
}

type Cents = { priceCents: number; rules: InvitationRules };

/** What a friend gets off a purchase, in cents; 0 if it isn't over the least price. */
export function discountCentsOf({ priceCents, rules }: Cents): number {
  if (priceCents <= rules.discountOver * 100) return 0;
  const cents = Math.round((priceCents * rules.discountPercent) / 100);
  return Math.min(cents, Math.round(rules.discountCap * 100), priceCents - leastDue * 100);
}
