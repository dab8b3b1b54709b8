import { type FactName, type Facts, factFields } from "#contract/facts.ts";
import type { Laptop } from "#contract/laptop-page.ts";
import { formatDate, formatMonths } from "#web/ui/format-dates-and-counts.ts";

type FactRow = { label: string; value: string; isFromMachine: boolean };

export function factRows(laptop: Laptop): FactRow[] {
  const rows = details.map(({ label, text }) => ({
    label,
    value: text(laptop),
    isFromMachine: false,
  }));
  return [...statedFactRows(laptop), ...rows];
}

type StatedFacts = Pick<Laptop, "facts"> & Partial<Pick<Laptop, "origins">>;

/** Related facts share a row. */
export function statedFactRows({ facts, origins = {} }: StatedFacts): FactRow[] {
  const isFromMachine = (names: FactName[]) =>
    names.some((name) => origins[name] === "machine") &&
    names.every((name) => facts[name] === undefined || origins[name] === "machine");
  return statedFacts.flatMap(({ names, label, text }) => {
    const value = text(facts);
    return value ? [{ label, value, isFromMachine: isFromMachine(names) }] : [];
  });
}

type Shown = {
  names: FactName[];
  label: string;
  text: (facts: Facts) => string | 0 | undefined;
};

function rowFor(name: FactName, text: Shown["text"]): Shown {
  return { names: [name], label: factFields[name].label, text };
}

const statedFacts: Shown[] = [
  rowFor("brand", ({ brand }) => brand),
  { names: ["model_line"], label: "Model", text: ({ model_line }) => model_line },
  rowFor("cpu", ({ cpu, cpu_family }) => cpu ?? cpu_family),
  rowFor("ram_gb", ({ ram_gb }) => ram_gb && formatGigabytes(ram_gb)),
  rowFor("storage_gb", ({ storage_gb }) => storage_gb && formatGigabytes(storage_gb)),
  rowFor("gpu", ({ gpu }) => gpu),
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
        battery_health && `${battery_health}% of original capacity`,
        battery_cycles !== undefined && `${battery_cycles} charge cycles`,
      ]),
  },
  rowFor("operating_system", ({ operating_system }) => operating_system),
  { names: ["keyboard_layout"], label: "Keyboard", text: ({ keyboard_layout }) => keyboard_layout },
  rowFor("ports", ({ ports }) => ports?.join(", ")),
  rowFor("weight_grams", ({ weight_grams }) => weight_grams && formatWeight(weight_grams)),
  rowFor("warranty_until", ({ warranty_until }) => warranty_until && formatDate(warranty_until)),
  rowFor("defects", ({ defects }) => defects),
  rowFor("included", ({ included }) => included),
];

/** Every listing states these. */
const details: { label: string; text: (laptop: Laptop) => string }[] = [
  { label: "Purchase Year", text: (laptop) => String(laptop.yearOf_purchase) },
  { label: "Use Duration", text: (laptop) => formatMonths(laptop.use_duration) },
  { label: "Location", text: ({ location }) => location },
  { label: "Date of Post", text: ({ postedAt }) => formatDate(postedAt) },
];

export const factLabels = [...statedFacts, ...details].map(({ label }) => label);

function joined(parts: (string | number | false | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}

/** Storage is sold in decimal units. */
function formatGigabytes(gb: number): string {
  return gb < 1000 ? `${gb} GB` : `${Math.round(gb / 100) / 10} TB`;
}

function formatWeight(grams: number): string {
  return `${(grams / 453.592).toFixed(1)} lb (${(grams / 1000).toFixed(2)} kg)`;
}
