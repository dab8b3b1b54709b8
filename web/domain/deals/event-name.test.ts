import { expect, test } from "vitest";
import { bookingTransitions } from "#contract/life-cycle.ts";
import { eventName } from "./event-name.ts";

test.each([
  "cancel",
  "refund elsewhere",
  "refund leftover",
  "releaseLeftover",
  "remind admins",
  "reopenRefund",
  "retryRefund",
])("without an actor, the description of the verb %s starts with a capital letter", (verb) => {
  expect(eventName({ verb, object: "payment", actor: null })).toMatch(/^[A-Z]/);
});

test("a member's action is described in words that follow the member's name", () => {
  const decision = { verb: "refund leftover", object: "booking", actor: "Robin" };
  expect(eventName(decision)).toBe("gave the returned money to the buyer");
});

test("a refunded purchase is canceled first, and refunded once the buyer has the money", () => {
  const ofBooking = { verb: "refund", object: "booking" };
  const ofPayment = { object: "payment", actor: null };
  expect(eventName({ ...ofBooking, actor: "Robin" })).toBe("canceled the purchase");
  expect(eventName({ ...ofBooking, actor: null })).toBe("The purchase was canceled");
  expect(eventName({ ...ofPayment, verb: "giveBack" })).toBe("A refund began");
  expect(eventName({ ...ofPayment, verb: "refund" })).toBe("The buyer was refunded");
});

const ofDeals = ["proposeMeeting", "answer complaint", "ask for return", "read messages"];

const ofMoney = [
  "complain",
  "startRelease",
  "startRefund",
  "payOut",
  "findEmpty",
  "releaseLeftover",
  "giveBack",
  "refund",
  "failRefund",
  "giveUpRefund",
  "retryRefund",
  "settleRefund",
  "reopenRefund",
  "intend transfer",
  "refuse transfer",
  "transfer twice",
  "refund elsewhere",
  "intend reversal",
  "refuse reversal",
  "recover debt",
  "take back discount",
  "openInquiry",
  "openDispute",
  "closeDispute",
  "submitEvidence",
  "refund leftover",
];

test.each([...Object.keys(bookingTransitions), ...ofDeals, ...ofMoney])(
  "the audit log verb %s has its own description",
  (verb) => {
    const inTheLog = verb.replaceAll(/([A-Z])/g, " $1").toLowerCase();
    expect(eventName({ verb, object: "booking", actor: "Robin" })).not.toBe(inTheLog);
  },
);
