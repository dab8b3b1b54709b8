import { type ports, ramSizes } from "#contract/facts.ts";
import type { ProductForm } from "../product-form.ts";

type Port = (typeof ports)[number];

/** Configurations may differ in `resolutions`, `cpus` and `gpus`. Unknown values are empty. */
type Model = ReturnType<typeof readModel>;

/** Resolutions in the form's format. */
const resolutionNames: Record<string, string> = {
  WXGA: "1280 × 800",
  HD: "1366 × 768",
  "HD+": "1600 × 900",
  FHD: "1920 × 1080",
  WUXGA: "1920 × 1200",
  "WUXGA+": "1920 × 1280",
  QHD: "2560 × 1440",
  WQXGA: "2560 × 1600",
  "QHD+": "3200 × 1800",
  UHD: "3840 × 2160",
  WQUXGA: "3840 × 2400",
};

const portNames: Record<string, Port> = {
  C: "USB-C",
  T: "Thunderbolt",
  A: "USB-A",
  H: "HDMI",
  D: "DisplayPort",
  d: "Mini DisplayPort",
  V: "VGA",
  E: "Ethernet",
  P: "Headphones",
  S: "SD card",
  s: "microSD card",
  G: "MagSafe",
};

const cpuNames: [short: RegExp, full: string][] = [
  [/^(?=i[3579]-|[mM][357]?-|Ultra )/, "Intel Core "],
  [/^(?=Celeron|Pentium|Xeon)/, "Intel "],
  [/^R([3579])P /, "AMD Ryzen $1 PRO "],
  [/^R([3579]) /, "AMD Ryzen $1 "],
  [/^(?=Ryzen)/, "AMD "],
  [/^(?=Snapdragon)/, "Qualcomm "],
];

const files = import.meta.glob<string>("./*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** About 500 common models, from the CSV files in this folder (decisions/listings). */
export const models = Object.values(files).flatMap((file) =>
  file
    .split("\n")
    .filter((line) => line !== "")
    .map(readModel),
);

/**
 * Reads a row: brand; line; variant; year; inches; resolutions; CPUs; maximum GB of memory; GPUs;
 * grams; ports; Wh.
 */
function readModel(row: string) {
  const [brand = "", line = "", variant = "", year, inches = "", ...rest] = row.split(";");
  const [resolutions, cpus, ram, gpus, grams = "", portCodes, batteryWh = ""] = rest;
  return {
    name: [...(brand === "Apple" ? [] : [brand]), line, variant].filter(Boolean).join(" "),
    brand,
    line,
    year: Number(year),
    inches,
    resolutions: listOf(resolutions).map(
      (code) => resolutionNames[code] ?? code.replace("x", " × "),
    ),
    cpus: listOf(cpus).map(fullCpuName),
    maxRamGb: ram ? Number(ram) : undefined,
    gpus: listOf(gpus),
    grams,
    ports: listOf(portCodes, " ").flatMap((code) => portNames[code] ?? []),
    batteryWh,
  };
}

function listOf(cell = "", separator = ","): string[] {
  return cell.split(separator).filter(Boolean);
}

function fullCpuName(short: string): string {
  const rule = cpuNames.find(([pattern]) => pattern.test(short));
  return rule ? short.replace(...rule) : short;
}

/** Sorts models whose name or line starts with the text first, and newer models before older. */
export function findModels(text: string, max: number): Model[] {
  const words = folded(text).split(" ").filter(Boolean);
  if (words.length === 0) return [];
  const found = models.filter(({ name, brand }) => {
    const searched = folded(`${brand} ${name}`);
    return words.every((word) => searched.includes(word));
  });
  const rank = ({ name, line }: Model) =>
    folded(name).startsWith(words.join(" ")) || folded(line).startsWith(words.join(" ")) ? 0 : 1;
  return found
    .toSorted((one, other) => rank(one) - rank(other) || other.year - one.year)
    .slice(0, max);
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s()/,-]+/g, " ")
    .trim();
}

/** The facts that the model alone determines, in the form's format. */
export function factsOfModel(model: Model): Partial<ProductForm> {
  const { brand, line, inches, grams, ports } = model;
  const known = {
    brand,
    model_line: line,
    cpu: only(model.cpus),
    gpu: only(model.gpus),
    screen_inches: inches,
    screen_resolution: only(model.resolutions),
    weight_grams: grams,
  };
  const filled = Object.entries(known).filter(([, value]) => value);
  return { ...Object.fromEntries(filled), ...(ports.length > 0 && { ports }) };
}

function only(choices: string[]): string | undefined {
  return choices.length === 1 ? choices[0] : undefined;
}

/** The values that the model's configurations may have, by form field. */
export function choicesOf({ cpus, gpus, resolutions, maxRamGb }: Model) {
  const ram = ramSizes.filter((size) => maxRamGb !== undefined && size <= maxRamGb);
  return { cpu: cpus, gpu: gpus, screen_resolution: resolutions, ram_gb: ram.map(String) };
}
