import { readFileSync } from "node:fs";
import type { Condition } from "../../contract/products.ts";
import type { PricedListing } from "../../server/features/fair-price/price-features.ts";

/** A laptop as sold new. */
type New = {
  brand: string;
  name: string;
  cpu: string;
  ram: number;
  storage: string;
  gpu: string;
  type: string;
  dollars: number;
};

/** Reads the published list of new laptops with prices. */
export function readNewLaptops(file: string): New[] {
  const lines = readFileSync(file, "utf8").trim().split(/\r?\n/).slice(1);
  return lines.map((line) => {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) =>
      cell.replace(/^"|"$/g, "").replaceAll('""', '"'),
    );
    const cell = (column: number) => cells[column] ?? "";
    return {
      brand: cell(1),
      name: cell(2),
      type: cell(3),
      cpu: cell(6),
      ram: Number.parseInt(cell(7), 10),
      storage: cell(8),
      gpu: cell(9),
      dollars: Number(cell(12)),
    };
  });
}

export type MadeSale = { listing: PricedListing; cents: number; at: Date; expectedCents: number };

/** Repeatable random numbers (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** How much the prices for the same laptop vary: usually by less than a tenth, up or down. */
const noise = 0.09;
/** Sales in a hurry, or to buyers who didn't compare offers. */
const accidents = { share: 0.03, noise: 0.35 };
/** The years until a laptop has lost half of its value. */
const halfLives: Record<string, number> = {
  Apple: 3.4,
  Gaming: 2.2,
  Workstation: 2.8,
  Ultrabook: 2.7,
  Netbook: 1.9,
};
const conditionFactors: Record<Condition, number> = { Excellent: 1.06, Good: 1, Fair: 0.8 };

export type Market = { popularity: Map<string, number>; halfLife: Map<string, number> };

/** Gives each product its own popularity and depreciation. */
export function makeMarket(laptops: New[], seed: number): Market {
  const next = random(seed);
  const products = [...new Set(laptops.map(({ brand, name }) => `${brand} ${name}`))];
  return {
    popularity: new Map(products.map((name) => [name, 0.12 * normal(next)])),
    halfLife: new Map(products.map((name) => [name, 1 + 0.08 * normal(next)])),
  };
}

/** Picks a laptop. As in any shop, a few models are sold often and most models rarely. */
function pick(laptops: New[], next: () => number): New {
  return laptops[Math.floor(laptops.length * next() ** 1.6)] as New;
}

export function makeSales(
  laptops: New[],
  market: Market,
  { count, seed }: { count: number; seed: number },
): MadeSale[] {
  const next = random(seed);
  return Array.from({ length: count }, () => makeSale(pick(laptops, next), market, next));
}

const soldOn = new Date("2026-06-30T00:00:00Z");

function makeSale(laptop: New, market: Market, next: () => number): MadeSale {
  const months = Math.round(3 + 69 * next() ** 1.2);
  const condition =
    (["Excellent", "Good", "Good", "Fair"] as const)[Math.floor(4 * next())] ?? "Good";
  const battery = Math.round(Math.max(40, 100 - months * 0.45 - 12 * next()));
  const key = `${laptop.brand} ${laptop.name}`;
  const half =
    (halfLives[laptop.brand] ?? halfLives[laptop.type] ?? 2.4) * (market.halfLife.get(key) ?? 1);
  const expected =
    laptop.dollars *
    0.86 *
    0.5 ** (months / 12 / half) *
    conditionFactors[condition] *
    Math.exp(market.popularity.get(key) ?? 0) *
    (1 + (battery - 85) / 400);
  const spread = next() < accidents.share ? accidents.noise : noise;
  const dollars = Math.max(25, expected * Math.exp(spread * normal(next)));
  // Sellers remember the original price only roughly.
  const original = Math.round(laptop.dollars * Math.exp(0.06 * normal(next)));
  return {
    listing: listingOf(laptop, {
      condition,
      months,
      battery: next() < 0.3 ? battery : undefined,
      original,
      next,
    }),
    cents: Math.round(dollars) * 100,
    at: soldOn,
    expectedCents: expected * 100,
  };
}

type Details = {
  condition: Condition;
  months: number;
  battery: number | undefined;
  original: number;
  next: () => number;
};

function listingOf(
  laptop: New,
  { condition, months, battery, original, next }: Details,
): PricedListing {
  const processor = /\bi\d\b|Ryzen \d|Celeron|Pentium|Atom|Xeon|A\d|E2/.exec(laptop.cpu)?.[0] ?? "";
  const parts = [processor, `${laptop.ram} GB`, laptop.storage.replace("Flash Storage", "SSD")];
  const graphics = /GTX \d+|Quadro \w+/.exec(laptop.gpu)?.[0];
  const told = [...parts, ...(graphics ? [graphics] : [])].filter(() => next() < 0.85);
  return {
    name: [`${laptop.brand} ${laptop.name.replace(/\s*\(.*/, "")}`, ...told].join(", "),
    description: battery === undefined ? "Works well." : `Battery health ${battery} %.`,
    category: laptop.brand,
    condition,
    originalCents: original * 100,
    useMonths: months,
    yearOfPurchase: new Date(soldOn.getTime() - months * 30.44 * 86_400_000).getUTCFullYear(),
  };
}
