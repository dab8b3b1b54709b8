import { expect, test } from "vitest";
import {
  estimate,
  fitPrices,
  likelyOriginal,
  originalsOf,
  type Sale,
  withoutOne,
} from "./price-model.ts";

/** Seeded, approximately normal random numbers with mean 0. */
function normals(seed: number): () => number {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, -6);
}

/** Standard deviations of log prices: `models` within a line, `sales` within a model. */
const spread = { models: 0.18, sales: 0.06 };

/** Makes sales of 300 models. `sold(n)`: the number of sales of model `n`. */
function makeSales(sold: (model: number) => number, { seed = 1, from = 0 } = {}): Sale[] {
  const normal = normals(seed);
  return Array.from({ length: 300 }, (_, n) => from + n).flatMap((n) => {
    const worth = spread.models * normal();
    const groups = { brand: "lenovo", line: "lenovo thinkpad", model: `lenovo thinkpad ${n}` };
    return Array.from({ length: sold(n) }, () => {
      const cents = Math.round(40_000 * Math.exp(worth + spread.sales * normal()));
      return { cents, groups, values: [1], years: 2.5 };
    });
  });
}

test("about 80% of sales are within the estimated range, even for models with few or no earlier sales", async () => {
  const known = makeSales((n) => (n % 3 === 0 ? 1 : n % 3 === 1 ? 5 : 16));
  const model = await fitPrices(known.filter((_, index) => index % 4 !== 0));
  const shareWithin = (sales: Sale[]) => {
    const within = sales.filter((sale) => {
      const fair = estimate(model, sale);
      return fair && fair.low <= sale.cents && sale.cents <= fair.high;
    });
    return within.length / sales.length;
  };
  const heldOut = known.filter((_, index) => index % 4 === 0);
  const neverSold = makeSales(() => 1, { seed: 2, from: 1_000 });
  // The bounds allow for small samples, and for correlated errors within a model.
  for (const sales of [heldOut, neverSold]) {
    expect(shareWithin(sales)).toBeGreaterThan(0.74);
    expect(shareWithin(sales)).toBeLessThan(0.86);
  }
});

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
