import { type Facts, statedFacts } from "#contract/facts.ts";
import { toDiskSize, toInstalledMemory } from "./quantities.ts";

export type Battery = {
  /** `design` and `full` are capacities in the same unit. */
  design?: number | undefined;
  full?: number | undefined;
  /** In percent. */
  health?: number | undefined;
  cycles?: number | undefined;
};

/** A report's raw values, before they become a listing's facts. */
export type Machine = {
  brand?: string | undefined;
  model?: string | undefined;
  cpu?: string | undefined;
  gpus?: string[];
  ram_gb?: number | undefined;
  storage_gb?: number | undefined;
  screen?: [number, number] | undefined;
  screen_inches?: number | undefined;
  batteries?: Battery[];
  operating_system?: string | undefined;
};

export type ReportedFacts = Pick<
  Facts,
  | "brand"
  | "model_line"
  | "cpu"
  | "gpu"
  | "ram_gb"
  | "storage_gb"
  | "screen_inches"
  | "screen_width"
  | "screen_height"
  | "battery_health"
  | "battery_cycles"
  | "operating_system"
>;

/** Returns facts that the contract accepts. Omits text that may identify a person or a device. */
export function toFacts(machine: Machine): ReportedFacts {
  const brand = brandOf(machine.brand);
  const facts: ReportedFacts = {
    brand,
    model_line: modelOf(machine.model, brand),
    cpu: cpuOf(machine.cpu),
    gpu: gpuOf(machine.gpus ?? []),
    ram_gb: toInstalledMemory(machine.ram_gb),
    storage_gb: toDiskSize(machine.storage_gb, brand === "Apple"),
    screen_inches: machine.screen_inches,
    screen_width: machine.screen?.[0],
    screen_height: machine.screen?.[1],
    ...batteryFacts(machine.batteries ?? []),
    operating_system: tidy(machine.operating_system)?.replace(/^Microsoft /, ""),
  };
  const checked = Object.entries(facts).filter(([name, value]) => {
    if (value === undefined || (typeof value === "string" && isPrivate(value))) return false;
    return statedFacts.shape[name as keyof ReportedFacts].safeParse(value).success;
  });
  const { screen_width, screen_height, ...known } = Object.fromEntries(checked) as ReportedFacts;
  const hasScreen = screen_width !== undefined && screen_height !== undefined;
  return { ...known, ...(hasScreen && { screen_width, screen_height }) };
}

/** Combines several batteries. A cycle count of 0 means that the count is unknown. */
function batteryFacts(batteries: Battery[]) {
  const measured = batteries.filter(({ design = 0, full = 0 }) => design > 0 && full > 0);
  const sum = (name: "design" | "full") =>
    measured.reduce((total, battery) => total + (battery[name] ?? 0), 0);
  const stated = batteries.flatMap(({ health }) => (health ? [health] : []));
  const health = measured.length > 0 ? (100 * sum("full")) / sum("design") : stated[0];
  const cycles = batteries.reduce((max, battery) => Math.max(max, battery.cycles ?? 0), 0);
  return {
    battery_health: health === undefined ? undefined : Math.min(100, Math.round(health)),
    battery_cycles: cycles === 0 ? undefined : cycles,
  };
}

const makers: [RegExp, string][] = [
  [/^lenovo/i, "Lenovo"],
  [/^dell/i, "Dell"],
  [/^(hp\b|hewlett)/i, "HP"],
  [/^asus/i, "ASUS"],
  [/^acer/i, "Acer"],
  [/^apple/i, "Apple"],
  [/^microsoft/i, "Microsoft"],
  [/^micro-star|^msi\b/i, "MSI"],
  [/^samsung/i, "Samsung"],
  [/^lg\b/i, "LG"],
  [/^huawei/i, "Huawei"],
  [/^razer/i, "Razer"],
  [/^gigabyte/i, "Gigabyte"],
  [/^framework/i, "Framework"],
  [/^toshiba|^dynabook/i, "Toshiba"],
  [/^fujitsu/i, "Fujitsu"],
  [/^panasonic/i, "Panasonic"],
  [/^google/i, "Google"],
  [/^system76/i, "System76"],
];

function brandOf(maker: string | undefined): string | undefined {
  const text = tidy(maker);
  return text && (makers.find(([pattern]) => pattern.test(text))?.[1] ?? text);
}

/** Undefined for codes such as 20XWCTO1WW and MacBookPro18,3, which mean nothing to buyers. */
function modelOf(model: string | undefined, brand: string | undefined): string | undefined {
  const text = tidy(model);
  const name =
    brand && text?.toLowerCase().startsWith(`${brand.toLowerCase()} `)
      ? text.slice(brand.length + 1)
      : text;
  if (name === undefined || /^[0-9A-Z]{10}$|^[A-Za-z]+\d+,\d+$|^[0-9A-Z]{4}$/.test(name))
    return undefined;
  return name.slice(0, 60).trim();
}

/** "11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz" becomes "Intel Core i7-1165G7". */
function cpuOf(cpu: string | undefined): string | undefined {
  return tidy(cpu)
    ?.replaceAll(/\((?:r|tm|c)\)|[®™]/gi, "")
    .replace(/^\d{1,2}th Gen /i, "")
    .replace(/ (?:CPU|Processor)? ?@ .*$/i, "")
    .replace(/,? \d[\d.,]* ?[MG]Hz.*$/i, "")
    .replace(/ (?:with Radeon|\d{1,2}-Core).*$/i, "")
    .replace(/ (?:CPU|Processor)$/i, "")
    .replaceAll(/ {2,}/g, " ")
    .trim();
}

/** Prefers a dedicated GPU. Ignores virtual and software adapters. */
function gpuOf(gpus: string[]): string | undefined {
  const real = gpus
    .flatMap((gpu) => tidy(gpu) ?? [])
    .map((gpu) =>
      gpu
        .replaceAll(/\((?:r|tm)\)|[®™]/gi, "")
        .replace(/ Corporation\b/, "")
        .trim(),
    )
    .filter(
      (gpu) => !/basic (display|render)|remote|virtual|llvmpipe|mirage|citrix|usb/i.test(gpu),
    );
  return real.find((gpu) => /nvidia|geforce|quadro|radeon (rx|pro)|\brtx\b/i.test(gpu)) ?? real[0];
}

const placeholders =
  /^(?:to be filled|default string|system (?:manufacturer|product|version|model)|not (?:specified|available|applicable)|unknown|none|n\/a|<.*>|o\.?e\.?m\.?|invalid|-+)/i;

function tidy(text: string | undefined): string | undefined {
  const found = text?.replaceAll(/\s+/g, " ").trim();
  return found === undefined || found === "" || placeholders.test(found) ? undefined : found;
}

const privateText = [
  /[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}/i,
  /@|\\|\/Users\/|\/home\//,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/,
  /[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /serial|uuid|asset|s\/n|host ?name|user ?name/i,
  /system ?name|registered|registriert|enregistr|registrad|nom du systeme|nombre del sistema/i,
];

/** Whether a text may contain an address, a serial number or a name. */
function isPrivate(text: string): boolean {
  return privateText.some((pattern) => pattern.test(text));
}
