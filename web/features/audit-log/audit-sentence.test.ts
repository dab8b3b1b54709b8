import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AuditEntry, auditObjects } from "#contract/audit.ts";
import { invitationTransitions } from "#contract/life-cycle.ts";
import { auditSentence } from "./audit-sentence.ts";

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

test("an entry of the audit log is a sentence about its actor and object", () => {
  expect(sentence({})).toBe("{actor} verified the seller {}");
  expect(sentence({ object: "booking", verb: "hold" })).toBe("{actor} put it on hold: {}");
  const giveBack = { object: "payment", verb: "giveBack" } as const;
  expect(sentence(giveBack)).toBe("A refund was decided: {}, by {actor}");
  expect(sentence({ ...giveBack, actor: null })).toBe("A refund was decided: {}");
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
