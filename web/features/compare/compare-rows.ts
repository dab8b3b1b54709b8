/** One laptop's values by row label. */
export type Column = Map<string, string>;

export type CompareRow = { label: string; values: (string | undefined)[]; differs: boolean };

/** The rows with a value for at least one laptop, and whether those values differ. */
export function compareRows(labels: readonly string[], columns: Column[]): CompareRow[] {
  return labels.flatMap((label) => {
    const values = columns.map((column) => column.get(label));
    const stated = new Set(values.filter((value) => value !== undefined));
    return stated.size === 0 ? [] : [{ label, values, differs: stated.size > 1 }];
  });
}
