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
])("describes what a job did in a full sentence: %s", (verb) => {
  expect(eventName({ verb, actor: null })).toMatch(/^[A-Z]/);
});

test("describes what a member did in words that follow their name", () => {
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
  "describes each state change in plain words: %s",
  (verb) => {
    const inTheLog = verb.replaceAll(/([A-Z])/g, " $1").toLowerCase();
    expect(eventName({ verb, actor: "Robin" })).not.toBe(inTheLog);
  },
);
