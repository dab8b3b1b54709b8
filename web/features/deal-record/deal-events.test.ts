import { expect, test } from "vitest";
import { eventName } from "./DealEvents.tsx";

test.each([
  "cancel",
  "recallLeftover",
  "refund leftover",
  "releaseLeftover",
  "releaseWithoutPart",
  "reopenRefund",
  "retry partial refund",
  "retryRefund",
  "returnRest",
  "returnUnclaimed",
])("what a job has done has a sentence of its own: %s", (verb) => {
  expect(eventName({ verb, actor: null })).toMatch(/^[A-Z]/);
});

test("what a member has done follows their name", () => {
  expect(eventName({ verb: "refund leftover", actor: "Robin" })).toMatch(/^gave the buyer/);
});
