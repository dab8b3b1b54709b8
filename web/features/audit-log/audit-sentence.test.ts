import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AuditEntry, auditObjects } from "#contract/audit.ts";
import { invitationReasons } from "#contract/invitation-rules.ts";
import { invitationTransitions } from "#contract/life-cycle.ts";
import { auditDetails, auditSentence } from "./audit-sentence.ts";

const id = "00000000-0000-4000-8000-000000000000";
const ada = { _id: id, name: "Ada", email: "ada@example.com", isAdmin: true };
const entry: AuditEntry = {
  _id: "1",
  at: "2026-03-01T10:00:00Z",
  actor: ada,
  verb: "verify",
  object: "member",
  objectId: id,
  objectName: "Ben Stone",
  detail: {},
};

const sentence = (changes: Partial<AuditEntry>) => auditSentence({ ...entry, ...changes });

test("an audit log entry is shown as a sentence about its actor and object", () => {
  expect(sentence({})).toBe("{actor} verified the seller {}");
  expect(sentence({ object: "booking", verb: "hold" })).toBe("{actor} put it on hold: {}");
  const giveBack = { object: "payment", verb: "giveBack" } as const;
  expect(sentence(giveBack)).toBe("A refund began: {}, by {actor}");
  expect(sentence({ ...giveBack, actor: null })).toBe("A refund began: {}");
});

test("the audit log has words for every verb that the server records", () => {
  const sources = globSync("server/features/**/*.ts").filter((file) => !file.includes(".test."));
  const literals = sources.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(/verb ?[:=] (?:.+ \? "([^"]+)" : )?"([^"]+)"/g),
    ].flatMap(([, one, other = ""]) => (one === undefined ? [other] : [one, other])),
  );
  const verbs = new Set([...literals, ...Object.keys(invitationTransitions)]);
  expect(verbs.size).toBeGreaterThan(70);
  const raw = (verb: string) => verb.replaceAll(/([A-Z])/g, " $1").toLowerCase();
  const isWorded = (verb: string) =>
    auditObjects.some((object) => {
      const said = sentence({ object, verb });
      return said !== `{actor} ${raw(verb)}: {}`;
    });
  expect([...verbs].filter((verb) => !isWorded(verb))).toEqual([]);
});

test("an audit log entry's details are shown in words, without ids or codes", () => {
  const details = (changes: Partial<AuditEntry>) => auditDetails({ ...entry, ...changes });
  const invitation = { object: "invitation", verb: "suspect" } as const;
  expect(details({ ...invitation, detail: { reason: "card" } })).toEqual([
    "The friend paid with a card that another member has paid with.",
  ]);
  expect(details({ ...invitation, detail: { noDiscount: "seller" } })).toEqual([
    "not given, because the seller's 30-day limit was used up",
  ]);
  expect(details({ ...invitation, detail: { noDiscount: null } })).toEqual([]);
  const paid = { source: "webhook", fulfilled: true, amountCents: 81_900, disputeId: "du_1" };
  expect(details({ object: "payment", detail: paid })).toEqual([
    "via webhook",
    "fulfilled",
    "$819",
  ]);
  expect(details({ object: "payment", detail: { reason: "expired_or_canceled_card" } })).toEqual([
    "reason: expired or canceled card",
  ]);
  expect(details({ object: "shop", detail: { changed: "operator, texts" } })).toEqual([
    "changed Who runs the shop, Pages",
  ]);
  expect(details({ detail: { role: "owner" } })).toEqual(["role: owner"]);
});

test("the audit log has words for every reason to suspect or refuse an invitation", () => {
  const source = (file: string) => readFileSync(`server/features/rewards/${file}.ts`, "utf8");
  const kinds = /array_position\(array\[(.+?)\]/.exec(source("suspect-friend"))?.[1] ?? "";
  const refusals = /(?<=return "|secondAccount = ")[^"]+/g;
  const reasons = [
    ...(kinds.match(/\w+/g) ?? []),
    ...(source("join-by-invitation").match(refusals) ?? []),
  ];
  expect(reasons).toHaveLength(6);
  expect(reasons.filter((reason) => !(reason in invitationReasons))).toEqual([]);
});
