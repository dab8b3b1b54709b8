import { z } from "zod";
import { call, id } from "./call.ts";
import { factsForm } from "./facts.ts";
import { conditions } from "./products.ts";

/** In dollars. About 80% of comparable laptops sell here for between `low` and `high`. */
export const fairPriceRange = z.object({
  low: z.number(),
  high: z.number(),
  /** Number of sales of the model, or of its line or brand if the model has too few sales. */
  sales: z.number(),
  level: z.enum(["model", "line", "brand"]),
});

export type FairPriceRange = z.output<typeof fairPriceRange>;

const pricedFacts = factsForm.pick({
  brand: true,
  model_line: true,
  cpu: true,
  gpu: true,
  ram_gb: true,
  storage_gb: true,
  battery_health: true,
});
export const pricedFactNames = pricedFacts.keyof().options;

const dollars = z.coerce.number().min(1).max(100_000_000);

export const readFairPrice = call("GET /fairPrice", {
  access: "seller",
  summary: "What laptops like the one described were sold for; null if too few were sold",
  reads: ["products"],
  replica: true,
  query: z.object({
    category: id,
    name: z.string().trim().min(1).max(120),
    condition: z.enum(conditions),
    originalPrice: dollars,
    useDuration: z.coerce.number().int().min(0).max(600),
    yearOfPurchase: z.coerce.number().int().min(1985).max(2100),
    ...pricedFacts.shape,
  }),
  limit: { max: 600, minutes: 60 },
  answers: { 200: z.object({ range: fairPriceRange.nullable() }) },
});
