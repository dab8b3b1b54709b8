import { setImmediate as nextTurn } from "node:timers/promises";
import { type Groups, type Level, levels, originalOf, withOriginal } from "./price-features.ts";

export type Sale = { cents: number; groups: Groups; values: number[]; years: number };

/**
 * Statistics of the logarithms of a model's stated original prices. `sales`: their number.
 * `squares`: the sum of squared deviations from the mean.
 */
type Originals = { sales: number; mean: number; squares: number };

/** A group adds `effect` to the log price, plus `slope` times (age in years - `typicalAge`). */
export type GroupEffect = {
  sales: number;
  effect: number;
  slope: number;
  originals?: Originals | undefined;
};

/**
 * Laptop models are divided into classes by their number of sales. These are the classes' minimums.
 * The price of a rarely sold model needs a wider range.
 */
const evidences = [0, 1, 4, 8];

type Range = { low: number; high: number };

/** `ranges`: for each class of `evidences`, the middle 80% of the errors of log prices. */
export type PriceModel = {
  coefficients: number[];
  groups: Map<string, GroupEffect>;
  ranges: Range[];
};

/** An estimate needs a model, line or brand with at least this many sales. */
const minSales = 8;

const rounds = 10;
const folds = 5;
const minErrors = 50;
/** A group's effect is shrunk as if the group had this many extra sales whose effect is 0. */
const shrinkage = 1;
const slopeShrinkage = 60;
/** Residuals are clipped to ±0.3 of the log price (+35% or -26%), because some are outliers. */
const maxResidual = 0.3;
const typicalAge = 2.5;

export function keyOf(level: Level, groups: Groups): string {
  return `${level}:${groups[level]}`;
}

/** Shrinks each group's effect toward the wider group. */
export async function fitPrices(sales: Sale[]): Promise<PriceModel> {
  const model = await fitOnce(sales);
  return { ...model, ranges: await rangesOf(sales) };
}

async function fitOnce(stated: Sale[]): Promise<PriceModel> {
  const originals = originalsByModel(stated);
  const sales = stated.map((sale) => corrected(sale, originals, withoutOne));
  const targets = sales.map(({ cents }) => Math.log(cents));
  const model: PriceModel = { coefficients: [], groups: new Map(), ranges: [] };
  for (let round = 0; round < rounds; round += 1) {
    const ofGroups = sales.map((sale) => groupPart(model, sale));
    model.coefficients = solve(
      sales.map(({ values }) => values),
      targets.map((target, index) => target - (ofGroups[index] ?? 0)),
    );
    const residuals = targets.map(
      (target, index) => target - dot(model.coefficients, sales[index]?.values ?? []),
    );
    fitGroups(model, sales, residuals);
    await nextTurn();
  }
  for (const [name, of] of originals)
    Object.assign(model.groups.get(name) ?? {}, { originals: of });
  return model;
}

function originalsByModel(sales: Sale[]): Map<string, Originals> {
  const byModel = Map.groupBy(sales, ({ groups }) => keyOf("model", groups));
  return new Map(
    [...byModel].map(([name, all]) => [name, originalsOf(all.map(originalOf))] as const),
  );
}

/** Sets the likeliest original price. `others` can leave out the sale's own stated price. */
function corrected<S extends Omit<Sale, "cents">>(
  sale: S,
  byModel: Map<string, Originals>,
  others = (all: Originals, _stated: number) => all,
): S {
  const stated = originalOf(sale);
  const all = byModel.get(keyOf("model", sale.groups));
  const likely = likelyOriginal(stated, all && others(all, stated));
  return { ...sale, values: withOriginal(sale.values, likely) };
}

/** Variances of log prices: sellers' memory errors, and the usual spread within a model. */
const memoryVariance = 0.06 ** 2;
const usualVariance = 0.005;

export function originalsOf(stated: number[]): Originals {
  const sales = stated.length;
  const mean = stated.reduce((sum, one) => sum + one, 0) / Math.max(1, sales);
  return { sales, mean, squares: stated.reduce((sum, one) => sum + (one - mean) ** 2, 0) };
}

export function withoutOne({ sales, mean, squares }: Originals, stated: number): Originals {
  const others = sales - 1;
  if (others === 0) return { sales: 0, mean: 0, squares: 0 };
  const otherMean = mean - (stated - mean) / others;
  return {
    sales: others,
    mean: otherMean,
    squares: Math.max(0, squares - (stated - mean) * (stated - otherMean)),
  };
}

/**
 * Takes and returns logarithms. Moves the stated price toward the others if they agree, because the
 * model then probably has one configuration.
 */
export function likelyOriginal(stated: number, others: Originals | undefined): number {
  if (!others || others.sales === 0) return stated;
  const { sales, mean, squares } = others;
  const variance = (squares + usualVariance + memoryVariance) / sales;
  const before = Math.max(0, variance - memoryVariance) + variance / sales;
  return mean + (before / (before + memoryVariance)) * (stated - mean);
}

/** Fits the widest level first; each narrower level fits the remaining residuals. */
function fitGroups(model: PriceModel, sales: Sale[], residuals: number[]): void {
  model.groups = new Map();
  const left = [...residuals];
  for (const level of levels.toReversed()) {
    const members = Map.groupBy(sales.keys(), (index) =>
      keyOf(level, (sales[index] as Sale).groups),
    );
    for (const [key, indexes] of members) {
      const effect = effectOf(
        indexes.map((index) => ({ age: ageOf(sales[index] as Sale), left: left[index] ?? 0 })),
      );
      model.groups.set(key, effect);
      for (const index of indexes)
        left[index] =
          (left[index] ?? 0) - effect.effect - effect.slope * ageOf(sales[index] as Sale);
    }
  }
}

function ageOf({ years }: Pick<Sale, "years">): number {
  return years - typicalAge;
}

function effectOf(all: { age: number; left: number }[]): GroupEffect {
  const members = all.map(({ age, left }) => ({ age, left: clip(left) }));
  const sum = (of: (one: { age: number; left: number }) => number) =>
    members.reduce((total, one) => total + of(one), 0);
  const a = members.length + shrinkage;
  const b = sum(({ age }) => age);
  const c = sum(({ age }) => age * age) + slopeShrinkage;
  const [p, q] = [sum(({ left }) => left), sum(({ age, left }) => age * left)];
  const determinant = a * c - b * b;
  return {
    sales: members.length,
    effect: (p * c - q * b) / determinant,
    slope: (a * q - b * p) / determinant,
  };
}

function clip(residual: number): number {
  return Math.max(-maxResidual, Math.min(maxResidual, residual));
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

function groupPart({ groups }: Pick<PriceModel, "groups">, sale: Omit<Sale, "cents">): number {
  return levels.reduce((sum, level) => {
    const { effect = 0, slope = 0 } = groups.get(keyOf(level, sale.groups)) ?? {};
    return sum + effect + slope * ageOf(sale);
  }, 0);
}

/** Cross-validates: the errors are those of sales left out of the fit. */
async function rangesOf(sales: Sale[]): Promise<PriceModel["ranges"]> {
  const errors: number[][] = evidences.map(() => []);
  for (let fold = 0; fold < folds; fold += 1) {
    const model = await fitOnce(sales.filter((_, index) => index % folds !== fold));
    for (const sale of sales.filter((_, index) => index % folds === fold))
      if (levelOf(model, sale.groups))
        errors[evidenceOf(model, sale.groups)]?.push(
          Math.log(sale.cents) - logEstimate(model, sale),
        );
  }
  if (errors.flat().length === 0) return [];
  return errors.map((_, at) => {
    const own = enoughErrors(errors, at).sort((a, b) => a - b);
    return { low: quantile(own, 0.1), high: quantile(own, 0.9) };
  });
}

/** Borrows errors for a class with too few, first from classes with more sales. */
function enoughErrors(all: number[][], at: number): number[] {
  const nearest = [...all.slice(at), ...all.slice(0, at).toReversed()];
  const enough: number[] = [];
  for (const errors of nearest) if (enough.length < minErrors) enough.push(...errors);
  return enough;
}

/**
 * Corrected for the sample size, so that about 80% of later sales are in the range (conformal
 * prediction).
 */
function quantile(sorted: number[], share: number): number {
  const last = sorted.length - 1;
  const at = Math.min(last, Math.max(0, share * (sorted.length + 1) - 1));
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}

function salesOf({ groups }: Pick<PriceModel, "groups">, level: Level, of: Groups): number {
  return groups.get(keyOf(level, of))?.sales ?? 0;
}

function evidenceOf(model: Pick<PriceModel, "groups">, of: Groups): number {
  const sales = salesOf(model, "model", of);
  return evidences.findLastIndex((min) => sales >= min);
}

function levelOf(model: Pick<PriceModel, "groups">, of: Groups): Level | undefined {
  return levels.find((level) => salesOf(model, level, of) >= minSales);
}

function logEstimate(model: PriceModel, sale: Omit<Sale, "cents">): number {
  const name = keyOf("model", sale.groups);
  const originals = model.groups.get(name)?.originals;
  const { values } = corrected(sale, new Map(originals ? [[name, originals]] : []));
  return dot(model.coefficients, values) + groupPart(model, sale);
}

/** About 80% of sales are between `low` and `high`, in cents. */
type Estimate = { low: number; high: number; level: Level; sales: number };

/** Returns undefined if there are too few sales. */
export function estimate(model: PriceModel, listing: Omit<Sale, "cents">): Estimate | undefined {
  const level = levelOf(model, listing.groups);
  const range = level && model.ranges[evidenceOf(model, listing.groups)];
  if (!range) return undefined;
  const log = logEstimate(model, listing);
  return {
    low: Math.round(Math.exp(log + range.low)),
    high: Math.round(Math.exp(log + range.high)),
    level,
    sales: salesOf(model, level, listing.groups),
  };
}

/** Keeps the equations solvable if a column never varies. */
const ridge = 1e-3;

function solve(rows: number[][], targets: number[]): number[] {
  const size = rows[0]?.length ?? 0;
  const matrix = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size + 1 }, (_unused, j) =>
      i === j ? ridge * (rows.length + 1) * (i > 0 ? 1 : 0.001) : 0,
    ),
  );
  rows.forEach((row, index) => {
    for (let i = 0; i < size; i += 1) {
      const line = matrix[i] as number[];
      const value = row[i] as number;
      if (value === 0) continue;
      for (let j = 0; j < size; j += 1) line[j] = (line[j] as number) + value * (row[j] as number);
      line[size] = (line[size] as number) + value * (targets[index] as number);
    }
  });
  return eliminate(matrix);
}

/** Solves a positive definite system of equations. The last column is the right-hand side. */
function eliminate(matrix: number[][]): number[] {
  const size = matrix.length;
  for (let i = 0; i < size; i += 1) {
    const pivot = matrix[i] as number[];
    for (const line of matrix) {
      if (line === pivot) continue;
      const factor = (line[i] as number) / (pivot[i] as number);
      for (let j = i; j <= size; j += 1)
        line[j] = (line[j] as number) - factor * (pivot[j] as number);
    }
  }
  return matrix.map((line, i) => (line[size] as number) / (line[i] as number));
}
