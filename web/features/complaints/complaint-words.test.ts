import { afterAll, describe, expect, test, vi } from "vitest";
import type { Complaint } from "#contract/complaints.ts";

// Deadlines are shown in the reader's time zone.
vi.stubEnv("TZ", "America/Los_Angeles").resetModules();
const { answerText, decisionEffect, decisionText, nextSteps, settledBy } = await import(
  "./complaint-words.ts"
);
afterAll(() => void vi.unstubAllEnvs().resetModules());

const id = "00000000-0000-4000-8000-000000000000";
const answer = {
  answer: "offer" as const,
  words: "",
  photos: [],
  offer: 40,
  answeredAt: "2026-03-03",
};
const decision = {
  refund: 100,
  words: "",
  byAdmin: true,
  decidedAt: "2026-03-05T10:00:00Z",
  returnBy: null,
};
const complaint: Complaint = {
  _id: id,
  product: { _id: id, product_name: "ThinkPad" },
  price: 640,
  fee: 0,
  buyer: "Bertil",
  seller: "Selma",
  role: "admin",
  reason: "other",
  words: "Dead keys.",
  photos: [],
  openedAt: "2026-03-01T10:00:00Z",
  answer: null,
  answerBy: "2026-03-03T00:53:00Z",
  adminsDecide: false,
  decideBy: "2026-03-10T00:53:00Z",
  refundAt: "2026-03-22T00:53:00Z",
  waitsForBank: false,
  decision: null,
  settlement: "complaint",
};

describe("complaint texts", () => {
  test.each([
    [
      "buyer",
      "If the seller doesn't answer by Mar 2, 2026, 4:53 PM",
      "you get all of the $640 back once the seller has the laptop.",
    ],
    [
      "seller",
      "If you don't answer by Mar 2, 2026, 4:53 PM",
      "the buyer gets all of the $640 back once you have the laptop.",
    ],
    [
      "admin",
      "If the seller doesn't answer by Mar 2, 2026, 4:53 PM",
      "the buyer gets all of the $640 back once the seller has the laptop.",
    ],
  ] as const)("an unanswered complaint tells the %s what happens next", (role, first, last) => {
    const text = nextSteps({ ...complaint, role });
    expect(text.startsWith(`${first}, one of our admins decides by Mar 9, 2026, 5:53 PM.`)).toBe(
      true,
    );
    expect(text.endsWith(`If nobody has decided by Mar 21, 2026, 5:53 PM, ${last}`)).toBe(true);
  });

  test.each([
    ["buyer", "Your bank"],
    ["seller", "The buyer's bank"],
    ["admin", "The buyer's bank"],
  ] as const)("while a bank decides about the payment, the %s sees no deadline", (role, bank) => {
    expect(nextSteps({ ...complaint, role, adminsDecide: true, waitsForBank: true })).toBe(
      `${bank} is looking into the payment. Until it decides, no deadline ends this complaint.`,
    );
  });

  test.each([
    ["buyer", "The seller offers to refund $40, and you keep the laptop.", "If you don't"],
    ["seller", "You offer to refund $40, and the buyer keeps the laptop.", "If the buyer doesn't"],
  ] as const)("after an offer, the text tells the %s what happens next", (role, said, next) => {
    expect(answerText({ ...complaint, role, answer })).toBe(said);
    expect(nextSteps({ ...complaint, role, answer })).toContain(
      `${next} accept the offer by Mar 2, 2026, 4:53 PM, one of our admins decides`,
    );
  });

  test.each([
    ["buyer", "The seller didn't answer."],
    ["seller", "You didn't answer."],
    ["admin", "The seller didn't answer."],
  ] as const)("a decided complaint tells the %s that no answer came", (role, said) => {
    expect(answerText({ ...complaint, role, decision })).toBe(said);
  });

  test.each([
    ["buyer", "You get $100 back, and the seller gets the rest."],
    ["seller", "The buyer gets $100 back, and you get the rest."],
    ["admin", "The buyer gets $100 back, and the seller gets the rest."],
  ] as const)("after a decision, the text tells the %s how much each side gets", (role, said) => {
    expect(decisionText({ ...complaint, role, decision })).toBe(said);
  });

  test.each([
    ["buyer", "You get all of the $640 back once the seller has the laptop."],
    ["seller", "The buyer gets all of the $640 back once you have the laptop."],
  ] as const)("the text tells the %s that the refund awaits the laptop's return", (role, said) => {
    const waiting = { ...decision, refund: 640, returnBy: "2026-03-12T00:53:00Z" };
    expect(decisionText({ ...complaint, role, decision: waiting })).toBe(
      `${said} If that isn't confirmed by Mar 11, 2026, 5:53 PM, one of our admins decides.`,
    );
  });

  test.each([
    ["buyer", false, "You accepted the offer."],
    ["seller", false, "The buyer accepted the offer."],
    ["admin", false, "The buyer accepted the offer."],
    ["buyer", true, "The buyer accepted the offer."],
  ] as const)("the %s reads who settled the complaint; by an admin: %s", (role, byAdmin, said) => {
    const settled = { ...decision, byAdmin, words: "The buyer accepted the offer." };
    expect(settledBy({ ...complaint, role, decision: settled })).toBe(said);
  });

  test("after a full refund, the text tells the buyer that they have all of their money back", () => {
    const refunded = { ...complaint, decision, settlement: "refunded" as const };
    expect(decisionText({ ...refunded, role: "buyer" })).toBe(
      "You have all of your money back. Nothing is left for the seller.",
    );
  });

  test.each([
    [{ refund: 100 }, "Bertil gets $100 back; Selma is paid $540. This can't be undone."],
    [{ refund: 0.5 }, "Bertil gets $0.50 back; Selma is paid $639.50. This can't be undone."],
    [{ refund: 0 }, "Bertil gets nothing back; Selma is paid $640. This can't be undone."],
    [
      { refund: 640, atOnce: true },
      "Bertil gets a full refund of $640; Selma is paid nothing. This can't be undone.",
    ],
    [
      { refund: 640 },
      "Bertil gets a full refund of $640 once Selma has the laptop. Until then, you can decide again.",
    ],
  ])("the confirmation text for a decision says how much each side gets: %o", (deciding, text) => {
    expect(decisionEffect(complaint, deciding)).toBe(text);
  });

  test("the confirmation text says that the agreed fee is subtracted from the seller's part", () => {
    expect(decisionEffect({ ...complaint, fee: 32 }, { refund: 100 })).toBe(
      "Bertil gets $100 back; Selma is paid $540, less our fee. This can't be undone.",
    );
  });

  test("the confirmation text says that a refunded buyer already has all their money back", () => {
    const refunded = { ...complaint, settlement: "refunded" as const };
    expect(decisionEffect(refunded, { refund: 100 })).toBe(
      "Bertil already has all of their money back, and nothing is left for Selma. This can't be undone.",
    );
  });
});
