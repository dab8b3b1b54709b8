/**
 * The original prices that sellers of a model stated, as logarithms: how many, their mean, and the sum of the
 * squares of their distances from it.
 */
export type Originals = { sales: number; mean: number; squares: number };

/** How far sellers are off when they state a price when new from memory, and their prices' usual spread within a model. */
const memoryVariance = 0.06 ** 2;
const usualVariance = 0.005;

export function originalsOf(stated: number[]): Originals {
  const sales = stated.length;
  const mean = stated.reduce((sum, one) => sum + one, 0) / Math.max(1, sales);
  return { sales, mean, squares: stated.reduce((sum, one) => sum + (one - mean) ** 2, 0) };
}

/** Those of the others. */
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
 * What a stated original price most likely was, in logarithms: drawn towards what others stated for the model, the
 * more the less these differ. A model sold in one configuration has one price when new.
 */
export function likelyOriginal(stated: number, others: Originals | undefined): number {
  if (!others || others.sales === 0) return stated;
  const { sales, mean, squares } = others;
  const variance = (squares + usualVariance + memoryVariance) / sales;
  const before = Math.max(0, variance - memoryVariance) + variance / sales;
  return mean + (before / (before + memoryVariance)) * (stated - mean);
}
