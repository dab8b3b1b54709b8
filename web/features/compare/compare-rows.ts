/** One laptop's values by the label of the row. */
export type Column = Map<string, string>;

export type CompareRow = { label: string; values: (string | undefined)[]; differs: boolean };

/** The rows that at least one laptop has, and whether the stated values differ. */
export function compareRows(labels: readonly string[], columns: Column[]): CompareRow[] {
  return labels.flatMap((label) => {
    const values = columns.map((column) => column.get(label));
    const stated = new Set(values.filter((value) => value !== undefined));
    return stated.size === 0 ? [] : [{ label, values, differs: stated.size > 1 }];
  });
}
