import { creditStates } from "./credit-states.ts";
import { offerStates } from "./offer-states.ts";
import {
  after,
  available,
  charged,
  held,
  type InitialState,
  late,
  oneHoldLeft,
  overdue,
  paid,
  partialDispute,
  payable,
  refundDue,
  refundDueAgain,
  refundedElsewhere,
  refundFailed,
  refundGivenUp,
  wholeDispute,
} from "./prepare-states.ts";
import { settlementStates } from "./settlement-states.ts";
import type { VerbName } from "./verbs.ts";

const gone: VerbName[] = ["deleteProduct", "deleteSeller", "deleteBuyer"];
const news: VerbName[] = ["recordPayment", "hearOfPayment", "reconcile"];
const decisions: VerbName[] = ["hearOfPayment", "reconcile", "refund", "settleRefund"];

/** Each state of a laptop, and the verbs that can run in it. */
export const initialStates: Record<string, InitialState> = {
  "an available laptop": {
    prepare: available,
    verbs: ["book", "bookByOther", "bookSecond", "advertise", ...gone],
    rivals: [
      ["book", "bookByOther"],
      ["book", "deleteProduct"],
      ["bookByOther", "deleteProduct"],
    ],
  },
  "the last hold a buyer may have": {
    prepare: oneHoldLeft,
    verbs: ["book", "bookSecond"],
    rivals: [["book", "bookSecond"]],
  },
  "a held laptop": {
    prepare: held,
    verbs: ["book", "bookByOther", "askForIntent", "cancel", "cancelBySeller", ...gone],
    rivals: [["cancel", "cancelBySeller"]],
  },
  "a hold that has run out": {
    prepare: overdue(held),
    verbs: ["book", "bookByOther", "askForIntent", "cancel", "expire", "reconcile", ...gone],
    rivals: [["book", "bookByOther"]],
  },
  "a hold about to be paid": {
    prepare: payable,
    verbs: ["askForIntent", "payByCard", "cancel", "cancelBySeller", "reconcile", "bookByOther"],
    rivals: [
      ["payByCard", "cancel"],
      ["payByCard", "cancelBySeller"],
    ],
  },
  "a hold that runs out as it is paid": {
    prepare: overdue(payable),
    verbs: ["payByCard", "expire", "book", "bookByOther", "askForIntent", "cancel", "reconcile"],
    rivals: [
      ["payByCard", "bookByOther"],
      ["payByCard", "cancel"],
    ],
  },
  "money we have not heard of": {
    prepare: charged,
    verbs: [...news, "askForIntent", "cancel", "cancelBySeller", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "cancel"],
      ["recordPayment", "cancelBySeller"],
    ],
  },
  "money we have not heard of, for a hold that has run out": {
    prepare: overdue(charged),
    verbs: [...news, "expire", "book", "bookByOther", "cancel"],
    rivals: [["recordPayment", "bookByOther"]],
  },
  "a paid laptop": {
    prepare: paid,
    verbs: [...news, "refund", "handOver", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "money on its way back": {
    prepare: refundDue,
    verbs: [...news, "refund", "giveBack", "handOver", "book", "bookByOther", ...gone],
    rivals: [["bookByOther", "deleteProduct"]],
  },
  "money given back elsewhere": {
    prepare: refundedElsewhere,
    verbs: ["hearOfPayment", "recordPayment", "refund", "bookByOther", ...gone],
  },
  "a dispute we have not heard of": {
    prepare: wholeDispute,
    verbs: [...decisions, "handOver", "cancel", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
    interrupted: ["hearOfPayment"],
  },
  "an open dispute": {
    prepare: after(wholeDispute, "hearOfPayment"),
    verbs: [...decisions, "loseDispute", "winDispute", "handOver", "cancel", ...gone],
  },
  "a lost dispute we have not heard of": {
    prepare: after(wholeDispute, "hearOfPayment", "loseDispute"),
    verbs: [...decisions, "handOver", "cancel", "bookByOther", ...gone],
    interrupted: ["hearOfPayment"],
  },
  "a dispute that prevents a refund": {
    prepare: after(wholeDispute, "refund", "giveBack"),
    verbs: [...decisions, "loseDispute", "winDispute", "giveBack", "book", "handOver"],
  },
  "a dispute about a part that is lost": {
    prepare: after(partialDispute, "loseDispute", "hearOfPayment"),
    verbs: [...decisions, "giveBack", "handOver", "cancel", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "a refund that failed, which we have not heard of": {
    prepare: refundFailed,
    verbs: [...decisions, "giveBack", "handOver", "cancel", "bookByOther", "deleteBuyer"],
    interrupted: ["hearOfPayment"],
  },
  "a refund that is due again": {
    prepare: refundDueAgain,
    verbs: [...decisions, "giveBack", "handOver", "cancel", "deleteBuyer"],
    interrupted: ["giveBack"],
  },
  "a refund that an admin has to see to": {
    prepare: refundGivenUp,
    verbs: [...decisions, "giveBack", "handOver", "deleteBuyer"],
  },
  "money that came late": {
    prepare: late,
    verbs: [...news, "book", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "bookByOther"],
      ["recordPayment", "deleteProduct"],
    ],
  },
  ...offerStates,
  ...settlementStates,
  ...creditStates,
};
