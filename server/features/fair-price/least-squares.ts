/** The ridge penalty. For a column that never varies, it keeps the coefficient near 0. */
const ridge = 1e-3;

/** Ridge regression: the coefficients that best fit the columns to the targets. */
export function solve(rows: number[][], targets: number[]): number[] {
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

/** Gaussian elimination of a positive definite matrix. The last column is the right-hand side. */
function eliminate(matrix: number[][]): number[] {
  const size = matrix.length;
  for (let i = 0; i < size; i += 1) {
    const pivot = matrix[i] as number[];
    for (let k = i + 1; k < size; k += 1) {
      const line = matrix[k] as number[];
      const factor = (line[i] as number) / (pivot[i] as number);
      for (let j = i; j <= size; j += 1)
        line[j] = (line[j] as number) - factor * (pivot[j] as number);
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i -= 1) {
    const line = matrix[i] as number[];
    const known = solution.reduce(
      (sum, value, j) => (j > i ? sum + value * (line[j] as number) : sum),
      0,
    );
    solution[i] = ((line[size] as number) - known) / (line[i] as number);
  }
  return solution;
}
