import { type FactName, type Facts, factFields } from "#contract/facts.ts";
import type { Laptop } from "#contract/laptops.ts";
import { formatDate, formatMonths } from "#web/ui/format.ts";

export type FactRow = { label: string; value: string; isFromMachine: boolean };

/** A laptop's known facts as table rows. Related facts share a row. */
export function factRows({ facts, origins, ...product }: Laptop): FactRow[] {
  const isFromMachine = (names: FactName[]) =>
    names.some((name) => origins[name] === "machine") &&
    names.every((name) => facts[name] === undefined || origins[name] === "machine");
  const known = shown.flatMap(({ names, label = factFields[names[0]].label, text }) => {
    const value = text(facts);
    return value ? [{ label, value, isFromMachine: isFromMachine(names) }] : [];
  });
  const stated = [
    ["Purchase Year", String(product.yearOf_purchase)],
    ["Use Duration", formatMonths(product.use_duration)],
    ["Location", product.location],
    ["Date of Post", formatDate(product.postedAt)],
  ].map(([label = "", value = ""]) => ({ label, value, isFromMachine: false }));
  return [...known, ...stated];
}

type Shown = {
  names: [FactName, ...FactName[]];
  /** Defaults to the label of the first fact. */
  label?: string;
  text: (facts: Facts) => string | 0 | undefined;
};

const shown: Shown[] = [
  { names: ["brand"], text: ({ brand }) => brand },
  { names: ["model_line"], label: "Model", text: ({ model_line }) => model_line },
  { names: ["cpu"], text: ({ cpu, cpu_family }) => cpu ?? cpu_family },
  { names: ["ram_gb"], text: ({ ram_gb }) => ram_gb && formatGigabytes(ram_gb) },
  { names: ["storage_gb"], text: ({ storage_gb }) => storage_gb && formatGigabytes(storage_gb) },
  { names: ["gpu"], text: ({ gpu }) => gpu },
  {
    names: ["screen_inches", "screen_width"],
    label: "Screen",
    text: ({ screen_inches, screen_width, screen_height }) =>
      joined([
        screen_inches && `${screen_inches} inches`,
        screen_width && `${screen_width} × ${screen_height} pixels`,
      ]),
  },
  {
    names: ["battery_health", "battery_cycles"],
    label: "Battery",
    text: ({ battery_health, battery_cycles }) =>
      joined([
        battery_health && `${battery_health}% of its first capacity`,
        battery_cycles !== undefined && `${battery_cycles} charge cycles`,
      ]),
  },
  { names: ["operating_system"], text: ({ operating_system }) => operating_system },
  { names: ["keyboard_layout"], label: "Keyboard", text: ({ keyboard_layout }) => keyboard_layout },
  { names: ["ports"], text: ({ ports }) => ports?.join(", ") },
  {
    names: ["weight_grams"],
    text: ({ weight_grams }) => weight_grams && formatWeight(weight_grams),
  },
  {
    names: ["warranty_until"],
    text: ({ warranty_until }) => warranty_until && formatDate(warranty_until),
  },
  { names: ["defects"], text: ({ defects }) => defects },
  { names: ["included"], text: ({ included }) => included },
];

/** The labels of all rows, in order. */
export const factLabels = [
  ...shown.map(({ names, label = factFields[names[0]].label }) => label),
  "Purchase Year",
  "Use Duration",
  "Location",
  "Date of Post",
];

function joined(parts: (string | number | false | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}

/** A storage size such as 512 GB or 1 TB. Storage is sold in decimal units. */
export function formatGigabytes(gb: number): string {
  return gb < 1000 ? `${gb} GB` : `${Math.round(gb / 100) / 10} TB`;
}

/** A weight such as 1.13 kg (2.5 lb). */
function formatWeight(grams: number): string {
  return `${(grams / 1000).toFixed(2)} kg (${(grams / 453.592).toFixed(1)} lb)`;
}
