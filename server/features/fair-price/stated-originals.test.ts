import { expect, test } from "vitest";
import { likelyOriginal, originalsOf, withoutOne } from "./stated-originals.ts";

const log = Math.log;

test("a stated original price is drawn toward the other stated prices if they agree with each other", () => {
  const agreeing = originalsOf([log(990), log(1_000), log(1_010), log(1_000)]);
  const differing = originalsOf([log(600), log(1_000), log(1_400), log(1_900)]);
  const drawn = (to: typeof agreeing) => Math.exp(likelyOriginal(log(1_150), to));
  expect(drawn(agreeing)).toBeGreaterThan(1_000);
  expect(drawn(agreeing)).toBeLessThan(1_080);
  expect(drawn(differing)).toBeGreaterThan(1_130);
  expect(drawn(originalsOf([]))).toBeCloseTo(1_150);
});

test("withoutOne returns the statistics as if one stated price were missing", () => {
  const others = [log(600), log(1_000), log(1_400)];
  const { sales, mean, squares } = withoutOne(originalsOf([...others, log(1_900)]), log(1_900));
  const expected = originalsOf(others);
  expect(sales).toBe(3);
  expect(mean).toBeCloseTo(expected.mean, 10);
  expect(squares).toBeCloseTo(expected.squares, 10);
  expect(withoutOne(originalsOf([log(600)]), log(600)).sales).toBe(0);
});
