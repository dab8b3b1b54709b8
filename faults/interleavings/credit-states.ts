import { rewardInvitations } from "#server/features/rewards/reward-invitations.ts";
import { forgetCards, inviteByLink } from "#server/testing/rewards.ts";
import { after, available, type Context, type InitialState } from "./prepare-states.ts";
import type { Scenario } from "./scenario.ts";
import { endTime } from "./settlement-verbs.ts";
import type { VerbName } from "./verbs.ts";

/** Prepares a buyer whom the other buyer has invited. */
async function invited(context: Context): Promise<Scenario> {
  const { shop } = context;
  const scenario = await available(context);
  await inviteByLink(shop, scenario.other, scenario.buyer);
  await after(async () => scenario, "earnCredit")(context);
  // Pays rewards for earlier runs' invitations now. Paid later, they would add steps to this run.
  await rewardInvitations(shop.deps);
  return scenario;
}

const withCredit = after(invited, "book", "bookSecond");
const reduced = after(withCredit, "askForIntent");

async function paidWithCredit(context: Context): Promise<Scenario> {
  // All scenarios pay with the same card, which would make the invitations look like fraud.
  await forgetCards(context.shop);
  return await after(reduced, "payByCard", "recordPayment")(context);
}

/** Prepares a sale whose complaint window has ended. */
async function releasedWithCredit(context: Context): Promise<Scenario> {
  const scenario = await after(paidWithCredit, "reward", "handOver")(context);
  await endTime(context.shop.deps, scenario.booking);
  return await after(async () => scenario, "startRelease")(context);
}

const elsewhere: VerbName[] = ["askForSecondIntent", "earnCredit", "expireCredit", "reward"];

export const creditStates: Record<string, InitialState> = {
  "credit and two holds": {
    prepare: withCredit,
    onlyInLongRun: true,
    verbs: ["askForIntent", "cancel", "deleteBuyer", ...elsewhere],
  },
  "a hold with credit applied": {
    prepare: reduced,
    onlyInLongRun: true,
    verbs: ["payByCard", "cancel", "cancelBySeller", "deleteBuyer", ...elsewhere],
    rivals: [["payByCard", "cancel"]],
  },
  "a laptop paid with credit": {
    prepare: paidWithCredit,
    onlyInLongRun: true,
    verbs: ["refund", "handOver", "deleteBuyer", ...elsewhere],
    rivals: [["refund", "handOver"]],
  },
  "a sale with credit, due to the seller": {
    prepare: releasedWithCredit,
    onlyInLongRun: true,
    verbs: ["refund", "refundPartElsewhere", "hearOfPayment", "deleteBuyer", ...elsewhere],
  },
  "a complaint about a laptop paid with credit": {
    prepare: after(paidWithCredit, "handOver", "complain", "disagree"),
    onlyInLongRun: true,
    verbs: ["decideNearlyAll", "decideAll", "decideNothing", "refundPart", ...elsewhere],
    rivals: [["decideNearlyAll", "decideNothing"]],
  },
};
