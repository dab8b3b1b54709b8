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
  "a buyer with one hold left": {
    prepare: oneHoldLeft,
    verbs: ["book", "bookSecond"],
    rivals: [["book", "bookSecond"]],
  },
  "a held laptop": {
    prepare: held,
    verbs: ["book", "bookByOther", "askForIntent", "cancel", "cancelBySeller", ...gone],
    rivals: [["cancel", "cancelBySeller"]],
  },
  "an overdue hold": {
    prepare: overdue(held),
    verbs: ["book", "bookByOther", "askForIntent", "cancel", "expire", "reconcile", ...gone],
    rivals: [["book", "bookByOther"]],
  },
  "a hold with an open payment": {
    prepare: payable,
    verbs: ["askForIntent", "payByCard", "cancel", "cancelBySeller", "reconcile", "bookByOther"],
    rivals: [
      ["payByCard", "cancel"],
      ["payByCard", "cancelBySeller"],
    ],
  },
  "an overdue hold with an open payment": {
    prepare: overdue(payable),
    verbs: ["payByCard", "expire", "book", "bookByOther", "askForIntent", "cancel", "reconcile"],
    rivals: [
      ["payByCard", "bookByOther"],
      ["payByCard", "cancel"],
    ],
  },
  "an unrecorded payment": {
    prepare: charged,
    verbs: [...news, "askForIntent", "cancel", "cancelBySeller", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "cancel"],
      ["recordPayment", "cancelBySeller"],
    ],
  },
  "an unrecorded payment of an overdue hold": {
    prepare: overdue(charged),
    verbs: [...news, "expire", "book", "bookByOther", "cancel"],
    rivals: [["recordPayment", "bookByOther"]],
  },
  "a paid laptop": {
    prepare: paid,
    verbs: [...news, "refund", "handOver", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "a payment with a refund due": {
    prepare: refundDue,
    verbs: [...news, "refund", "giveBack", "handOver", "book", "bookByOther", ...gone],
    rivals: [["bookByOther", "deleteProduct"]],
  },
  "an unrecorded refund from the dashboard": {
    prepare: refundedElsewhere,
    verbs: ["hearOfPayment", "recordPayment", "refund", "bookByOther", ...gone],
  },
  "an unrecorded dispute": {
    prepare: wholeDispute,
    verbs: [...decisions, "handOver", "cancel", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
    interrupted: ["hearOfPayment"],
  },
  "an open dispute": {
    prepare: after(wholeDispute, "hearOfPayment"),
    verbs: [...decisions, "loseDispute", "winDispute", "handOver", "cancel", ...gone],
  },
  "an unrecorded loss of a dispute": {
    prepare: after(wholeDispute, "hearOfPayment", "loseDispute"),
    verbs: [...decisions, "handOver", "cancel", "bookByOther", ...gone],
    interrupted: ["hearOfPayment"],
  },
  "a dispute that prevents a refund": {
    prepare: after(wholeDispute, "refund", "giveBack"),
    verbs: [...decisions, "loseDispute", "winDispute", "giveBack", "book", "handOver"],
  },
  "a lost dispute about part of the price": {
    prepare: after(partialDispute, "loseDispute", "hearOfPayment"),
    verbs: [...decisions, "giveBack", "handOver", "cancel", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "an unrecorded refund failure": {
    prepare: refundFailed,
    verbs: [...decisions, "giveBack", "handOver", "cancel", "bookByOther", "deleteBuyer"],
    interrupted: ["hearOfPayment"],
  },
  "a failed refund that is due again": {
    prepare: refundDueAgain,
    verbs: [...decisions, "giveBack", "handOver", "cancel", "deleteBuyer"],
    interrupted: ["giveBack"],
  },
  "a failed refund left to an admin": {
    prepare: refundGivenUp,
    verbs: [...decisions, "giveBack", "handOver", "deleteBuyer"],
  },
  "a payment after the hold expired": {
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
