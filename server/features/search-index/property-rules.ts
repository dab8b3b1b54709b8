import { intelGeneration } from "#contract/cpu-names.ts";
import { ramSizes } from "#contract/facts.ts";
import type { Graphics, Processor } from "./dictionary.ts";

export type Property =
  | { kind: "ram"; gb: number }
  | { kind: "storage"; gb: number }
  | { kind: "processor"; family?: Processor; model?: string; generation?: number }
  | { kind: "graphics"; family: Graphics; model?: string }
  | { kind: "screen"; inches: number }
  | { kind: "battery"; percent: number }
  | { kind: "generation"; number: number }
  | { kind: "ignored" };

export type Rule<T> = { pattern: RegExp; read: ReadGroups<T> };

/** Returns undefined for impossible numbers. */
type ReadGroups<T> = (groups: (string | undefined)[]) => T[] | undefined;

/** Makes the pattern sticky, so that it matches only at `lastIndex`. */
export function rule<T>(pattern: RegExp | string, read: ReadGroups<T>): Rule<T> {
  return { pattern: new RegExp(pattern, "y"), read };
}

/** Drive sizes in GB. Nearby sizes count as one: 480 and 500 count as 512. */
export const storageSizes = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

/** Screen sizes in whole inches: 13 means 13 to 13.9. */
export const screenSizes = [10, 11, 12, 13, 14, 15, 16, 17, 18];

/** Rounds to a standard drive size in GB. Undefined if none is close. */
export function storageClass(gb: number): number | undefined {
  return storageSizes.find((size) => gb >= size * 0.9 && gb <= size * 1.03);
}

function ram(gb: number): Property[] | undefined {
  return ramSizes.includes(gb) ? [{ kind: "ram", gb }] : undefined;
}

function storage(gb: number): Property[] | undefined {
  const size = storageClass(gb);
  return size === undefined ? undefined : [{ kind: "storage", gb: size }];
}

/** Reads a bare capacity, such as "16 GB": memory below 120 GB, and otherwise a drive. */
function capacity(gb: number): Property[] | undefined {
  return gb < 120 ? ram(gb) : storage(gb);
}

function gigabytes(number = "", unit = "gb"): number {
  return Number(number.replace(",", ".")) * (unit.startsWith("t") ? 1024 : 1);
}

const drive =
  "(?:(?:of|fast|pcie|gen\\s?[345]|nvme|emmc|m\\.2|sata)\\s+)*(?:nvme|m\\.2|ssd|hdd|emmc|storage|drive|hard drive|hard disk|disk|solid state)\\b";
const gb = "(?:gb|gigs?|gigabytes?|gig|go)";

const capacities: Rule<Property>[] = [
  rule(`(\\d{1,2})\\s*(?:${gb})?\\s*(?:gddr\\d\\w?|vram|video memory)\\b`, () => [
    { kind: "ignored" },
  ]),
  // Ignores accessories and free slots.
  rule(
    `(\\d{1,4})\\s*-?\\s*(?:${gb}|tb|g)?\\s*(?:(?:usb|thumb|flash|pen|external|sd|micro ?sd|memory|graphics|video)[\\s-]+(?:stick|drive|card|memory|ssd|hdd|hard (?:drive|disk))s?|gpu|(?:(?:so-?dimm|ram|memory|ssd|m\\.2|nvme|drive)\\s+)?(?:slots?|sticks?|bays?|modules?))\\b`,
    () => [{ kind: "ignored" }],
  ),
  rule(
    `(\\d{1,3})\\s*-?\\s*(?:${gb}|g)?\\s*(?:of\\s+)?(?:(?:lp)?ddr\\d\\w?\\s*)?(?:\\d{4}\\s?mhz\\s*)?(?:ram|memory)\\b`,
    ([n]) => ram(Number(n)),
  ),
  rule(`(\\d{1,3})\\s*${gb}\\s*(?:lp)?ddr\\d\\w?`, ([n]) => ram(Number(n))),
  rule(`(?:ram|memory)\\s*(?::|is|of|-)?\\s*(\\d{1,3})\\s*(?:${gb}|g)?\\b(?!\\s*[%"])`, ([n]) =>
    ram(Number(n)),
  ),
  rule(`(\\d+(?:[.,]\\d+)?)\\s*-?\\s*(tb|t|terabytes?|${gb}|g)?\\s*${drive}`, ([n, unit]) =>
    storage(gigabytes(n, unit)),
  ),
  rule(
    `(?:ssd|hdd|nvme|storage)\\s*(?::|of|-)?\\s*(\\d+(?:[.,]\\d+)?)\\s*(tb|${gb})`,
    ([n, unit]) => storage(gigabytes(n, unit)),
  ),
  rule(/(\d+(?:[.,]\d+)?)\s*-?\s*(?:tb|terabytes?|t)\b/, ([n]) => storage(gigabytes(n, "tb"))),
  rule(
    `(\\d{1,2})\\s*(?:${gb}|g)?\\s*[/+|]\\s*(\\d{1,4})\\s*(tb|t|${gb}|g)?(?:\\s*(?:ssd|hdd|nvme))?\\b`,
    ([memory, size, unit]) => {
      const [first, second] = [ram(Number(memory)), storage(gigabytes(size, unit))];
      return first && second && Number(memory) >= 4 ? [...first, ...second] : undefined;
    },
  ),
  rule(`(\\d{1,4})\\s*-?\\s*${gb}\\b`, ([n]) => capacity(Number(n))),
  // Ignores 3G, 4G and 5G, which are networks.
  rule(/(\d{1,3})g\b/, ([n]) => (Number(n) > 5 ? capacity(Number(n)) : undefined)),
];

function processor(family: Processor, model?: string): Property[] {
  const number = model?.replaceAll(/[\s-]/g, "");
  const generation = number && /^i\d/.test(family) ? intelGeneration(number) : undefined;
  return [
    {
      kind: "processor",
      family,
      ...(number && { model: number }),
      ...(generation !== undefined && { generation }),
    },
  ];
}

const intelSuffix = "(?:g[1-7]|hx|hk|hq|mq|qm|xm|mx|kf|[uhymptk])";

const processorRules: Rule<Property>[] = [
  rule(
    `(?:intel\\s+)?(?:core\\s*)?i([3579])(?:\\s*-?\\s*(\\d{4,5}\\s?${intelSuffix}|\\d{3}[mu]m?)|-(\\d{4,5}))?\\b`,
    ([level, model, plain]) => processor(`i${level}` as Processor, model ?? plain),
  ),
  rule(/(?:intel\s+)?(?:core\s+)?ultra\s*([579])(?:[\s-]*(\d{3}[a-z]{0,2}))?\b/, ([level, model]) =>
    processor(`ultra${level}` as Processor, model),
  ),
  rule(/(?:intel\s+)?core\s+([357])(?:[\s-]+(\d{3}[uh]))?\b/, ([level, model]) =>
    processor(`core${level}` as Processor, model),
  ),
  rule(
    /(?:amd\s+)?ryzen\s*-?([3579])(?:\s*pro)?(?:[\s-]*(?!20[012]\d\b)(\d{4}\s?(?:hs|hx|ge|[hucm])?))?\b(?!\s*(?:gb|ssd))/,
    ([level, model]) => processor(`ryzen${level}` as Processor, model),
  ),
  rule(/(?:amd\s+)?ryzen\s*ai\s*(?:[3579]|max\+?)?\s*(?:hx\s*)?(?:pro\s*)?(\d{3})?\b/, ([model]) =>
    processor("ryzenai", model),
  ),
  rule(/r([3579])[\s-]+(\d{4}(?:hs|hx|[hu]))\b/, ([level, model]) =>
    processor(`ryzen${level}` as Processor, model),
  ),
  rule(
    /(?:apple\s+)?m([1-5])(?:\s*(pro|max|ultra))?\b(?!\s*(?:ssd|nvme|slot|drive|[-.]))/,
    ([level, more]) => processor(`m${level}` as Processor, more && `m${level}${more}`),
  ),
  rule(
    /(?:intel\s+)?(celeron|pentium|atom|xeon)(?:\s+(?:gold|silver))?(?:\s+((?:[a-z]\d?-?)?\d{4}[a-z]?(?:\s?v\d)?))?\b/,
    ([family, model]) => processor(family as Processor, model),
  ),
  rule(/(?:amd\s+)?athlon(?:\s+(?:gold|silver))?(?:\s+(\d{4}[a-z]{1,2}))?\b/, ([model]) =>
    processor("athlon", model),
  ),
  rule(
    /(?:qualcomm\s+)?snapdragon(?:\s+(x\s?(?:elite|plus)|8cx(?:\s?gen\s?\d)?|7c))?\b/,
    ([model]) => processor("snapdragon", model),
  ),
  rule(/core\s*m(?:[357])?(?:-(\d[a-z]\d{2}))?\b/, ([model]) => processor("corem", model)),
  // A bare model number. "1080p" is a resolution, but "1240p" is an Intel processor.
  rule(/(\d{4,5}(?:g[1-7]|hx|hk|hq|hs|mq|qm|[uhy])|[2-4]\d{3}m|1[23][4-8]0p)\b/, ([model = ""]) => {
    const generation = /g[1-7]$|^1[0-4]\d{2,3}/.test(model) ? intelGeneration(model) : undefined;
    return [{ kind: "processor", model, ...(generation !== undefined && { generation }) }];
  }),
];

function graphicsCard(family: Graphics, model?: string): Property[] {
  return [{ kind: "graphics", family, ...(model && { model: model.replaceAll(/[\s-]/g, "") }) }];
}

const graphicsRules: Rule<Property>[] = [
  rule(
    /(?:nvidia\s+)?(?:geforce\s+)?(rtx|gtx)\s*-?\s*(a?\d{3,4}(?:\s?(?:ti|super))?)?(?:\s*max-q)?\b/,
    ([family = "", model]) => graphicsCard(family as Graphics, model && `${family}${model}`),
  ),
  rule(/(?:nvidia\s+)?(?:geforce\s+)?mx\s*-?(\d{3})\b/, ([model]) =>
    graphicsCard("mx", `mx${model}`),
  ),
  rule(/(?:nvidia\s+)?quadro(?:\s+(?:rtx\s+)?([a-z]?\d{3,4}m?))?\b/, ([model]) =>
    graphicsCard("quadro", model && `quadro${model}`),
  ),
  rule(
    /(?:amd\s+)?radeon(?:\s+(?:pro|rx|r[579]|graphics))*(?:\s+(\d{3,4}[mxs]{0,2}))?\b/,
    ([model]) => graphicsCard("radeon", model && `radeon${model}`),
  ),
  rule(/rx\s*-?(\d{3,4}[mxs]{0,2})\b/, ([m]) => graphicsCard("radeon", `radeon${m}`)),
  rule(/(?:intel\s+)?iris(?:\s+(xe|plus|pro))?(?:\s+graphics)?\b/, ([model]) =>
    graphicsCard("iris", model && `iris${model}`),
  ),
  rule(/(?:intel\s+)?u?hd\s+(?:graphics(?:\s+(\d{3,4}))?|(\d{3}))\b/, ([a, b]) =>
    graphicsCard("uhd", (a ?? b) && `uhd${a ?? b}`),
  ),
  rule(/(?:intel\s+)?arc\s+([ab]?\d{3}[mv]?)\b/, ([m]) => graphicsCard("arc", `arc${m}`)),
  rule(/vega\s*(\d{1,2})\b/, ([m]) => graphicsCard("vega", `vega${m}`)),
];

function screen(number = ""): Property[] | undefined {
  const inches = Number(number.replace(",", "."));
  return inches >= 10 && inches < 19 ? [{ kind: "screen", inches }] : undefined;
}

/** Returns undefined for battery health below 20% or above 100%. */
export function battery(percent?: string): Property[] | undefined {
  const number = Number(percent);
  return number >= 20 && number <= 100 ? [{ kind: "battery", percent: number }] : undefined;
}

const otherRules: Rule<Property>[] = [
  rule(/(\d{2}(?:[.,]\d{1,2})?)\s*-?\s*(?:"|inch(?:es)?\b|inchs\b|zoll\b)/, ([n]) => screen(n)),
  rule(/(\d{2}[.,]\d|\d{2})(?:in\b|(?<=[.,]\d)\s+in\b)/, ([n]) => screen(n)),
  rule(
    /(?:screen|display)(?:\s+size)?\s*(?::|of|is)?\s*(\d{2}(?:[.,]\d)?)\b(?!\s*(?:%|hz))/,
    ([n]) => screen(n),
  ),
  rule(/battery(?:[^.;!?$]|\.(?=\d)){0,40}?\b(\d{2,3})(?:[.,]\d+)?\s*(?:%|percent)/, ([n]) =>
    battery(n),
  ),
  rule(
    /(\d{2,3})(?:[.,]\d+)?\s*(?:%|percent)\s*(?:of\s+|its\s+|the\s+|original\s+|maximum\s+|max\s+|remaining\s+)*(?:battery(?:\s+(?:health|capacity|life))?|health|capacity)\b/,
    ([n]) => battery(n),
  ),
  rule(/(\d{1,2})(?:st|nd|rd|th)\s*-?\s*gen(?:eration)?\b/, ([n]) => [
    { kind: "generation", number: Number(n) },
  ]),
  rule(/gen(?:eration)?\s*\.?(\d{1,2})\b/, ([n]) => [{ kind: "generation", number: Number(n) }]),
  rule(/g(\d{1,2})\b/, ([n]) => [{ kind: "generation", number: Number(n) }]),
];

export const propertyRules: Rule<Property>[] = [
  ...capacities,
  ...processorRules,
  ...graphicsRules,
  ...otherRules,
];
