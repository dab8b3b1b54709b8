import { existsSync } from "node:fs";
import { priceFeatures } from "../../server/features/fair-price/price-features.ts";
import {
  estimate,
  fitPrices,
  keyOf,
  type PriceModel,
  type Sale,
} from "../../server/features/fair-price/price-model.ts";
import { type MadeSale, makeMarket, makeSales, readNewLaptops } from "./sales.ts";

/**
 * Measures how close fair prices are to sales that the fit has not seen. The new laptops' prices
 * are published prices. `sales.ts` generates the sales, with noise, accidents and inaccurate
 * statements of sellers. The result shows how well the method works on such data, not how real
 * buyers behave. The method was developed without looking at the held-out sales and market.
 */
const file = process.argv[2] ?? "../shared/data/laptops.csv";
const counts = { known: 20_000, heldOut: 4_000 };
/** With few known sales, the prices of many laptops are estimated from their line or brand. */
const few = { known: 3_000, heldOut: 20_000 };
const seeds = {
  tuning: { market: 3, known: 5, heldOut: 7 },
  heldOut: { market: 1_301, known: 1_503, heldOut: 1_709 },
};

if (!existsSync(file)) {
  console.error(`Name a CSV file of new laptops with prices; there is no ${file}.`);
  process.exit(1);
}
const laptops = readNewLaptops(file);
for (const [name, seed] of Object.entries(seeds)) {
  await measure(name, seed, counts);
  await measure(name, seed, few);
}

async function measure(name: string, seed: (typeof seeds)["tuning"], size: typeof counts) {
  const market = makeMarket(laptops, seed.market);
  const known = makeSales(laptops, market, { count: size.known, seed: seed.known });
  const heldOut = makeSales(laptops, market, { count: size.heldOut, seed: seed.heldOut });
  const started = performance.now();
  const model = await fitPrices(known.map(toSale));
  const took = Math.round(performance.now() - started);
  const found = heldOut.flatMap((sale) => {
    const fair = estimate(model, toSale(sale));
    return fair ? [{ sale, fair }] : [];
  });
  const shown = found.map(({ sale }) => sale);
  const errorOf = (guess: (sale: MadeSale) => number) =>
    median(shown.map((sale) => Math.abs(guess(sale) / sale.cents - 1)));
  const fairOf = new Map(found.map(({ sale, fair }) => [sale, fair]));
  const cell = cellMedian(known);
  const curve = ageCurve(known);
  const ours = errorOf((sale) => fairOf.get(sale)?.cents ?? 0);
  const cells = errorOf(cell);
  const inside = found.filter(
    ({ sale, fair }) => sale.cents >= fair.low && sale.cents <= fair.high,
  );
  const levels = Map.groupBy(found, ({ fair }) => fair.level);
  const bySales = Map.groupBy(found, ({ sale }) => rarity(model, toSale(sale)));
  const isInside = new Set(inside);
  const held = (groups: typeof levels | typeof bySales) =>
    [...groups]
      .map(([group, all]) => {
        const share = all.filter((one) => isInside.has(one)).length / all.length;
        return `${group} ${all.length}, holds ${percent(share)}`;
      })
      .join("; ");
  console.log(`
${name}: ${known.length} sales known, ${heldOut.length} held out, ${percent(found.length / heldOut.length)} get a range; fit in ${took} ms
  median error, fair price            ${percent(ours)}   (at most 8 %)
  median error, median of the cell    ${percent(cells)}   (ours is ${percent(1 - ours / cells)} better; at least 15 %)
  median error, original × age curve  ${percent(errorOf(curve))}
  median error, knowing the market    ${percent(errorOf((sale) => sale.expectedCents))}   (what no method can beat)
  80 % range holds                    ${percent(inside.length / found.length)}   (78 to 82 %)
  by level                            ${held(levels)}
  by known sales of the model         ${held(bySales)}`);
}

function rarity({ groups }: PriceModel, sale: Sale): string {
  const sales = groups.get(keyOf("model", sale.groups))?.sales ?? 0;
  return sales === 0 ? "none" : sales < 4 ? "1 to 3" : sales < 8 ? "4 to 7" : "8 or more";
}

function toSale({ listing, cents, at }: MadeSale): Sale {
  return { cents, ...priceFeatures(listing, at) };
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/**
 * Estimates a price as the median of sales of the same model, condition and age in years. If there
 * are fewer than three such sales, uses a wider group of laptops.
 */
function cellMedian(sales: MadeSale[]): (sale: MadeSale) => number {
  const cellsOf = (sale: MadeSale) => {
    const { groups, years } = priceFeatures(sale.listing, sale.at);
    const age = Math.floor(years);
    return [
      `${groups.model}|${sale.listing.condition}|${age}`,
      `${groups.model}|${age}`,
      groups.model,
      groups.line,
      groups.brand,
      "",
    ];
  };
  const cells = new Map<string, number[]>();
  for (const sale of sales)
    for (const cell of cellsOf(sale))
      cells.set(cell, [...(cells.get(cell) ?? []), sale.cents].slice(-500));
  return (sale) =>
    median(
      cellsOf(sale)
        .map((cell) => cells.get(cell) ?? [])
        .find((all) => all.length >= 3) ?? [],
    );
}

/**
 * The naive baseline: the stated original price times the median share that is left at that age.
 */
function ageCurve(sales: MadeSale[]): (sale: MadeSale) => number {
  const yearOf = ({ listing }: MadeSale) => Math.floor(listing.useMonths / 12);
  const kept = Map.groupBy(sales, yearOf);
  const curve = new Map(
    [...kept].map(([year, all]) => [
      year,
      median(all.map(({ cents, listing }) => cents / listing.originalCents)),
    ]),
  );
  return (sale) => sale.listing.originalCents * (curve.get(yearOf(sale)) ?? 0.3);
}
