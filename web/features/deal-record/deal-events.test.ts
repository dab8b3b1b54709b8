import { expect, test } from "vitest";
import { bookingTransitions } from "#contract/life-cycle.ts";
import { eventName } from "./DealEvents.tsx";

test.each([
  "cancel",
  "refund elsewhere",
  "refund leftover",
  "releaseLeftover",
  "remind admins",
  "reopenRefund",
  "retryRefund",
])("a full sentence describes what a job did to a deal: %s", (verb) => {
  expect(eventName({ verb, actor: null })).toMatch(/^[A-Z]/);
});

test("the description of what a member did follows the member's name", () => {
  expect(eventName({ verb: "refund leftover", actor: "Robin" })).toMatch(/^gave the buyer/);
});

const ofMoney = [
  ...["complain", "startRelease", "startRefund", "payOut", "findEmpty", "releaseLeftover"],
  "giveBack",
  "refund",
  "failRefund",
  "giveUpRefund",
  "retryRefund",
  "settleRefund",
];

test.each([...Object.keys(bookingTransitions), ...ofMoney])(
  "a description in plain words exists for each state change: %s",
  (verb) => {
    const inTheLog = verb.replaceAll(/([A-Z])/g, " $1").toLowerCase();
    expect(eventName({ verb, actor: "Robin" })).not.toBe(inTheLog);
  },
);
