import { z } from "zod";
import { call, id, page } from "./call.ts";
import { formatPrice, toCents, toDollars } from "./price.ts";
import { conditions, product } from "./products.ts";
import { searchText } from "./text.ts";

/** Each has result counts for its values, and can be removed separately. */
export const filterNames = [
  "category",
  "price",
  "ram",
  "storage",
  "cpu",
  "gpu",
  "screen",
  "battery",
  "condition",
  "year",
  "verified",
  "near",
] as const;
export type FilterName = (typeof filterNames)[number];

/** These determine the results. `limit` and `cursor` only select a page. */
export const searchParameters = [
  "q",
  ...filterNames.filter((name) => name !== "price"),
  "minPrice",
  "maxPrice",
  "within",
  "sort",
] as const;

/** `saving`: the highest saving in percent first. `distance`: nearest to `near` first. */
export const searchSorts = [
  "relevance",
  "price",
  "-price",
  "newest",
  "saving",
  "distance",
] as const;
export type SearchSort = (typeof searchSorts)[number];

/** Laptops per page of a search: few, to keep the page light. */
export const searchPageSize = 12;

export const maxSearchCents = 100_000_000;

function amount(name: string) {
  const message = () =>
    `${name} must be an amount from 0 to ${formatPrice(toDollars(maxSearchCents))}, such as 450.`;
  return z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/, { error: message })
    .transform(Number)
    .refine((value) => toCents(value) <= maxSearchCents, { error: message });
}

/** Comma-separated, such as `16,32`. */
function several<T>(one: z.ZodType<T, string>) {
  return z
    .string()
    .max(400, "That is too long. Choose fewer values.")
    .transform((value) => value.split(",").map((part) => part.trim()))
    .pipe(z.array(one).min(1).max(20, "Choose at most 20 values."));
}

function whole(name: string, { min, max, unit }: { min: number; max: number; unit: string }) {
  const message = `${name} must be a whole number from ${min} to ${max}${unit}.`;
  return z
    .string()
    .regex(/^\d{1,5}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

function part(name: string, example: string) {
  const message = `${name} must be a name such as ${example}, with commas between several.`;
  return z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9][a-z0-9 .-]{0,29}$/, message);
}

const yearMessage = "year must be a year such as 2021, or a range such as 2019-2022.";

const year = z
  .string()
  .regex(/^(?:19|20)\d\d(?:-(?:(?:19|20)\d\d)?)?$/, yearMessage)
  .transform((value) => {
    const [from = "", to] = value.split("-");
    return { from: Number(from), ...(to !== "" && { to: Number(to ?? from) }) };
  })
  .refine(({ from, to = from }) => from <= to, yearMessage);

const screenMessage =
  "screen must be a size in inches such as 14 or 13.3, with commas between several.";
const screen = z
  .string()
  .regex(/^1\d(?:\.\d)?$/, screenMessage)
  .transform(Number);

/** The search page's URL has the same parameters. */
export const searchQuery = z
  .strictObject(
    {
      q: searchText(200, "Search with at most 200 characters.").optional(),
      category: several(id).optional(),
      minPrice: amount("The lowest price").optional(),
      maxPrice: amount("The highest price").optional(),
      ram: several(whole("ram", { min: 1, max: 1024, unit: " GB" })).optional(),
      storage: several(whole("storage", { min: 1, max: 65_536, unit: " GB" })).optional(),
      cpu: several(part("cpu", "i7 or i7-1165g7")).optional(),
      gpu: several(part("gpu", "rtx or rtx3060")).optional(),
      screen: several(screen).optional(),
      battery: whole("battery", { min: 1, max: 100, unit: " %" }).optional(),
      condition: several(
        z.enum(
          conditions,
          "condition must be Excellent, Good or Fair, with commas between several.",
        ),
      ).optional(),
      year: year.optional(),
      verified: z
        .literal("true", "verified can only be true.")
        .transform((): true => true)
        .optional(),
      near: searchText(80, "That town's name is too long.").min(1, "Name a town.").optional(),
      within: whole("within", { min: 1, max: 500, unit: " km" }).optional(),
      sort: z.enum(searchSorts, `sort must be one of ${searchSorts.join(", ")}.`).optional(),
      ...page.shape,
    },
    { error: ({ code, keys }) => unknownNames(code, keys) },
  )
  .refine(({ minPrice = 0, maxPrice = Number.POSITIVE_INFINITY }) => minPrice <= maxPrice, {
    path: ["maxPrice"],
    error: "The highest price can't be below the lowest price.",
  });

function unknownNames(code: string | undefined, keys: unknown): string | undefined {
  if (code !== "unrecognized_keys" || !Array.isArray(keys)) return undefined;
  return `There is no filter ${keys.join(", ")}.`;
}

export type SearchQuery = z.output<typeof searchQuery>;

const filterName = z.enum(filterNames);

const searchAnswer = z.object({
  /** `distance`: kilometers from the town, if the search names a known town. */
  items: z.array(product.extend({ distance: z.number().optional() })),
  total: z.number(),
  /** Whether `total` is an estimate from a sample. True above about 2,500 results. */
  sampled: z.boolean(),
  /** Prices (dollars) and battery values are lower ends of bands. `sampled`: estimated counts. */
  facets: z.partialRecord(
    filterName,
    z.object({
      values: z.array(z.object({ value: z.string(), count: z.number() })),
      sampled: z.boolean(),
    }),
  ),
  /**
   * `rest`: `q` without the filter's words; null for a filter set by a URL parameter. `values`: as
   * in `facets`.
   */
  filters: z.array(
    z.object({
      filter: filterName,
      label: z.string(),
      rest: z.string().nullable(),
      values: z.array(z.string()),
    }),
  ),
  /** Model lines in `q`, such as ThinkPad. `rest`: `q` without the model line. */
  lines: z.array(z.object({ label: z.string(), rest: z.string() })),
  /** Words with a minus sign, as in `thinkpad -x1`. `rest`: `q` without the word. */
  excluded: z.array(z.object({ text: z.string(), rest: z.string() })),
  /** `name`: the town searched around. `within`: km. `others`: other towns with that name. */
  place: z.object({ name: z.string(), within: z.number(), others: z.array(z.string()) }).nullable(),
  /** Misspelled words and their corrections. */
  corrected: z.array(z.object({ from: z.string(), to: z.string() })),
  /**
   * The filter that was dropped because no laptop matched everything. If `filter` is null, one of
   * the words was enough to match. `missing`: words that no laptop on this page contains.
   */
  loosened: z
    .object({ filter: filterName.nullable(), label: z.string(), missing: z.array(z.string()) })
    .nullable(),
  next: z.string().nullable(),
});

export type SearchAnswer = z.output<typeof searchAnswer>;

/** Lower ends of the histogram's bands, in hundreds of cents. */
export const searchPriceBands = [
  0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1250, 1500, 2000, 3000,
] as const;

export const search = call("GET /search", {
  access: "public",
  summary: "The available laptops that match words and filters, with counts for each filter",
  reads: ["products"],
  replica: true,
  uncached: true,
  query: searchQuery,
  answers: { 200: searchAnswer },
  refusals: ["UNAVAILABLE"],
});

const placeText = searchText(200, "A place has at most 200 characters.");

export const readDistance = call("GET /distance", {
  access: "public",
  summary: "Kilometers between the towns that two texts name; null if a town is not known",
  reads: [],
  uncached: true,
  query: z.object({ from: placeText.default(""), to: placeText.default("") }),
  answers: { 200: z.object({ km: z.number().nullable() }) },
});

const suggestionKinds = ["brand", "model", "word", "place"] as const;

export const listSuggestions = call("GET /suggestions", {
  access: "public",
  summary: "What somebody who has typed this may be looking for",
  reads: ["products"],
  replica: true,
  uncached: true,
  query: z.object({
    q: searchText(100, "Search with at most 100 characters.").default(""),
  }),
  answers: {
    200: z.object({
      items: z.array(z.object({ text: z.string(), kind: z.enum(suggestionKinds) })),
    }),
  },
  refusals: ["UNAVAILABLE"],
});
