import { expect, test } from "vitest";
import { type Attempt, isFailed, isRefused, type Kind, tooFew } from "./requests.ts";

const attempt = (kind: Kind, status: number, code = ""): Attempt => ({
  kind,
  status,
  code,
  startedAt: 0,
  endedAt: 1,
  retryAfter: status === 503,
});

test("a request counts as a failure unless its status is expected for its kind", () => {
  expect(isFailed(attempt("browse", 200))).toBe(false);
  for (const status of [0, 204, 302, 401, 404, 429, 500, 503])
    expect(isFailed(attempt("browse", status))).toBe(true);
});

test("for a hold, the error PRODUCT_TAKEN is not a failure, but other errors are", () => {
  for (const answer of [attempt("hold", 201), attempt("hold", 409, "PRODUCT_TAKEN")])
    expect(isFailed(answer)).toBe(false);
  expect(isFailed(attempt("hold", 409, "TOO_MANY_HOLDS"))).toBe(true);
  expect(isFailed(attempt("deal", 409, "PRODUCT_TAKEN"))).toBe(true);
});

test("a 503 with Retry-After is both a refusal and a failure", () => {
  expect(isRefused(attempt("save", 503))).toBe(true);
  expect(isFailed(attempt("save", 503))).toBe(true);
  expect(isRefused({ ...attempt("save", 503), retryAfter: false })).toBe(false);
});

test("a load test with no responses, or only refusals, has too few successes of every kind", () => {
  const kinds = tooFew([], 1).map((sentence) => sentence.split(":")[0] as Kind);
  expect(kinds).toContain("hold");
  const many = (status: number) =>
    kinds.flatMap((kind) => Array.from({ length: 100 }, () => attempt(kind, status)));
  expect(tooFew(many(200), 1)).toEqual([]);
  expect(tooFew(many(503), 1)).toHaveLength(kinds.length);
  expect(tooFew(many(200), 1_000)).toContain("events: 100, fewer than 200");
});
