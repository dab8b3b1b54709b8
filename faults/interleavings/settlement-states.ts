import { connectBank } from "#server/testing/settlements.ts";
import {
  after,
  type Context,
  type InitialState,
  type Prepare,
  paid,
  paidByFailingCard,
  partialDispute,
  wholeDispute,
} from "./prepare-states.ts";
import type { Scenario } from "./scenario.ts";
import { endTime, endYears } from "./settlement-verbs.ts";
import type { VerbName } from "./verbs.ts";

/** Hands over the deal, after its seller gets an account at the provider. */
const handedOver = (prepare: Prepare): Prepare => {
  const connected: Prepare = async (context) => {
    const scenario = await prepare(context);
    await connectBank(scenario.desk, scenario.seller);
    return scenario;
  };
  return after(connected, "handOver");
};

/** Prepares a handed-over deal whose complaint window has ended. */
const dueToSeller =
  (prepare: Prepare): Prepare =>
  async (context) => {
    const scenario = await handedOver(prepare)(context);
    await endTime(context.shop.deps, scenario.booking);
    return scenario;
  };

/** Prepares a seller who owes part of an earlier payout, and whose other sale is due for payout. */
async function indebted(context: Context): Promise<Scenario> {
  const first = await after(
    dueToSeller(paid),
    "release",
    "refundPartElsewhere",
    "hearOfPayment",
    "bookSecond",
  )(context);
  const { secondBooking: booking, second: product } = first;
  const second = await after(
    async () => ({ ...first, booking, product }),
    "askForIntent",
    "payByCard",
    "recordPayment",
    "handOver",
  )(context);
  await endTime(context.shop.deps, booking);
  await after(async () => second, "startRelease")(context);
  return first;
}

const complaint = after(handedOver(paid), "complain");
const partDecided = after(complaint, "decidePart");
const sentBack = after(
  handedOver(paidByFailingCard),
  "complain",
  "decidePart",
  "refundPart",
  "answerRefunds",
);

/** Prepares an old, partly refunded deal whose seller has no account for the remaining money. */
const unclaimed: Prepare = async (context) => {
  const scenario = await after(paid, "handOver", "complain", "decidePart", "refundPart")(context);
  await endYears(context.shop.deps, scenario.booking);
  return scenario;
};

/** Prepares a paid-out deal. An admin took part of the payout back in the provider's dashboard. */
const leftOver: Prepare = after(dueToSeller(paid), "release", "reverseElsewhere", "hearOfReversal");

const disputeNews: VerbName[] = ["hearOfPayment", "loseDispute", "winDispute"];
const decisions: VerbName[] = ["decidePart", "decideAll", "decideNothing"];
const refunded: VerbName[] = ["refundElsewhere", "hearOfPayment"];
const refundedOrPart: VerbName[] = ["refundPartElsewhere", ...refunded];
const gone: VerbName[] = ["deleteSeller", "deleteBuyer"];

export const settlementStates: Record<string, InitialState> = {
  "a paid laptop with a handover code": {
    prepare: after(paid, "issueCode"),
    verbs: [
      "enterCode",
      "enterWrongCode",
      "issueCode",
      "handOver",
      "refund",
      "endHandoverTime",
      ...refunded,
      "deleteSeller",
    ],
    rivals: [
      ["enterCode", "handOver"],
      ["enterCode", "refund"],
    ],
    interrupted: ["enterCode"],
  },
  "a laptop that was handed over": {
    prepare: handedOver(paid),
    verbs: ["complain", "endWindow", ...refundedOrPart, ...gone],
  },
  "a laptop that was handed over, with an unrecorded dispute": {
    prepare: handedOver(wholeDispute),
    verbs: ["complain", "endWindow", ...disputeNews],
  },
  "a complaint": {
    prepare: complaint,
    verbs: [
      "offer",
      "disagree",
      "refundBySeller",
      "withdraw",
      "decideOverdue",
      ...decisions,
      "endWindow",
      ...refundedOrPart,
      "deleteSeller",
    ],
    rivals: [
      ["decidePart", "decideAll"],
      ["decideAll", "withdraw"],
      ["refundBySeller", "withdraw"],
    ],
  },
  "a refund that waits for the laptop's return": {
    prepare: after(complaint, "refundBySeller"),
    verbs: [
      "confirmReturn",
      "decideAll",
      "decideNothing",
      "decideOverdue",
      "withdraw",
      ...refunded,
      ...gone,
    ],
    rivals: [
      ["confirmReturn", "decideAll"],
      ["confirmReturn", "decideNothing"],
    ],
    interrupted: ["confirmReturn"],
  },
  "a complaint with a partial refund offered by the seller": {
    prepare: after(complaint, "offer"),
    verbs: [
      "acceptRefund",
      "withdraw",
      "offerMore",
      "disagree",
      "refundBySeller",
      "decideAll",
      "decideOverdue",
      "refundPartElsewhere",
      "hearOfPayment",
    ],
    rivals: [
      ["acceptRefund", "withdraw"],
      ["acceptRefund", "decideAll"],
      ["acceptRefund", "refundBySeller"],
      ["acceptRefund", "offerMore"],
    ],
  },
  "a complaint with an unrecorded dispute": {
    prepare: after(handedOver(wholeDispute), "complain"),
    verbs: [...decisions, "refundBySeller", ...disputeNews],
  },
  "a complaint with an unrecorded dispute about part of the price": {
    prepare: after(handedOver(partialDispute), "complain"),
    verbs: ["decidePart", "decideAll", ...disputeNews],
  },
  "money that is due to the seller": {
    prepare: dueToSeller(paid),
    verbs: ["release", ...refunded, "refund", "complain", ...gone],
    interrupted: ["release"],
  },
  "money that is due to the seller, with an unrecorded dispute": {
    prepare: dueToSeller(wholeDispute),
    verbs: ["release", ...disputeNews, "settleRefund"],
    interrupted: ["release"],
  },
  "a partial refund due to the buyer": {
    prepare: partDecided,
    verbs: ["refundPart", "release", ...refundedOrPart, ...gone],
    interrupted: ["refundPart"],
  },
  "a partial refund due to the buyer, with an unrecorded dispute": {
    prepare: after(handedOver(wholeDispute), "complain", "decidePart"),
    verbs: ["refundPart", "release", ...disputeNews],
  },
  "the rest of the price, due to the seller": {
    prepare: after(partDecided, "refundPart"),
    verbs: ["release", "refundPart", "refundElsewhere", "hearOfPayment", "settleRefund"],
  },
  "an unrecorded failure of a partial refund": {
    prepare: sentBack,
    verbs: ["release", "refundPart", "hearOfPayment", "refund", "settleRefund", "deleteBuyer"],
  },
  "an unrecorded refund after the seller was paid": {
    prepare: after(dueToSeller(paid), "release", "refundElsewhere"),
    verbs: ["release", "hearOfPayment", "recoverDebt", "settleRefund", "deleteSeller"],
  },
  "a seller's debt and another sale of the same seller": {
    prepare: indebted,
    verbs: [
      "recoverDebt",
      "releaseSecond",
      "reverseElsewhere",
      "hearOfReversal",
      ...refunded,
      "deleteSeller",
    ],
    interrupted: ["recoverDebt"],
  },
  "money that the seller never claims": {
    prepare: unclaimed,
    verbs: ["returnUnclaimed", "release", "refundPart", ...refunded, ...gone],
    onlyInLongRun: true,
  },
  "leftover money in a settled deal": {
    prepare: leftOver,
    verbs: [
      "sendLeftoverToBuyer",
      "sendLeftoverToSeller",
      "refundPart",
      ...refunded,
      "deleteBuyer",
    ],
    onlyInLongRun: true,
  },
  "a dispute that was won and then lost after the seller was paid": {
    prepare: after(
      dueToSeller(after(wholeDispute, "hearOfPayment", "winDispute", "hearOfPayment")),
      "release",
      "flipDispute",
    ),
    verbs: ["hearOfPayment", "flipDispute", "recoverDebt", "hearOfReversal", "deleteSeller"],
  },
};
