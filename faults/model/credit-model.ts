import { minPaymentCents } from "#contract/currencies.ts";
import { specifiedRules } from "#contract/invitation-rules.ts";
import { discountCentsOf } from "#server/features/rewards/discounts.ts";

/** Amounts are in cents. */
export type Member = {
  name: string;
  earned: { at: number; cents: number }[];
  /** Credit that was spent or expired, and not returned. */
  gone: number;
  invitation?: Invitation;
  /** Paid deals, except fully refunded ones. */
  bought: Set<Deal>;
};

export type Invitation = {
  inviter: Member;
  completed: boolean;
  discounted?: Deal;
};

export type Deal = {
  buyer: Member;
  seller: Member;
  price: number;
  discount: number;
  credit: number;
  released: boolean;
};

const year = 365 * 24 * 3_600_000;

export function newMember(name: string, inviter?: Member): Member {
  const invitation = { completed: false };
  const nothing = { earned: [], gone: 0, bought: new Set<Deal>() };
  return { name, ...nothing, ...(inviter && { invitation: { ...invitation, inviter } }) };
}

export function balanceOf({ earned, gone }: Member): number {
  return sum(earned) - gone;
}

export function buy({ buyer, seller, price }: Pick<Deal, "buyer" | "seller" | "price">): Deal {
  const { invitation } = buyer;
  const isByInviter = invitation?.inviter === seller;
  const mayHaveDiscount = invitation && !isByInviter && !invitation.discounted && !hasBought(buyer);
  const discount = mayHaveDiscount
    ? discountCentsOf({ priceCents: price, rules: specifiedRules })
    : 0;
  const areRelated = isByInviter || seller.invitation?.inviter === buyer;
  const maxCredit = price - discount - minPaymentCents();
  const credit = areRelated ? 0 : Math.min(balanceOf(buyer), maxCredit);
  buyer.gone += credit;
  const deal = { buyer, seller, price, discount, credit, released: false };
  if (invitation && discount > 0) invitation.discounted = deal;
  return deal;
}

/** Whether the member is offered a discount. It can move from an unpaid laptop to another one. */
export function isOffered(member: Member): boolean {
  const { invitation, bought } = member;
  if (!invitation || invitation.completed || hasBought(member)) return false;
  return !invitation.discounted || !bought.has(invitation.discounted);
}

function hasBought({ bought }: Member): boolean {
  return [...bought].some(({ price }) => price > specifiedRules.discountOver * 100);
}

/** Gives back money first, then credit. After a full refund, the discount can be used again. */
export function giveBack(deal: Deal, cents: number): void {
  const byCard = deal.price - deal.discount - deal.credit;
  const returned = Math.max(0, Math.min(cents - byCard, deal.credit));
  deal.buyer.gone -= returned;
  const { invitation } = deal.buyer;
  if (cents < deal.price) return;
  deal.buyer.bought.delete(deal);
  if (invitation?.discounted === deal) delete invitation.discounted;
}

export function reward(friends: Member[], at: number): void {
  const { inviteCredit, purchaseCredit } = specifiedRules;
  for (const { invitation } of friends) {
    if (!invitation) continue;
    if (invitation.completed || !invitation.discounted?.released) continue;
    invitation.completed = true;
    invitation.inviter.earned.push({ at, cents: (inviteCredit + purchaseCredit) * 100 });
  }
}

export function expire(member: Member, at: number): void {
  const old = sum(member.earned.filter((earning) => earning.at < at - year));
  member.gone += Math.max(0, old - member.gone);
}

function sum(earned: Member["earned"]): number {
  return earned.reduce((total, { cents }) => total + cents, 0);
}
