/** Describes logarithms of prices. `squares`: the sum of squared deviations from the mean. */
export type Originals = { sales: number; mean: number; squares: number };

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

/** In logarithms. Pulls harder if others agree: the model then probably has one configuration. */
export function likelyOriginal(stated: number, others: Originals | undefined): number {
  if (!others || others.sales === 0) return stated;
  const { sales, mean, squares } = others;
  const variance = (squares + usualVariance + memoryVariance) / sales;
  const before = Math.max(0, variance - memoryVariance) + variance / sales;
  return mean + (before / (before + memoryVariance)) * (stated - mean);
}
