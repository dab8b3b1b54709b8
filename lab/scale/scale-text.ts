/** Formats a number with three significant digits and commas. */
export function number(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en");
}

/** Formats bytes, such as `465 GB`. */
export function bytes(value: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${number(value / 1_000 ** unit)} ${units[unit]}`;
}

export function markdown(names: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...rows.map(line)].join("\n");
}
