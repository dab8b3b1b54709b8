import { z } from "zod";
import { call, deleted, inserted, modified } from "./call.ts";
import { category } from "./categories.ts";
import { pngDataUrl } from "./images.ts";
import { plainName } from "./text.ts";

/** Few enough to show on one page. */
export const maxCategories = 60;

export const categoryForm = z.object({
  product_category: plainName("Enter the name of the category.", 40),
  /** If missing, the category keeps its picture. If empty, it gets the built-in picture. */
  picture: pngDataUrl(60).optional(),
});

/** `laptops` counts laptops in any state. */
const ownedCategory = category.extend({ hidden: z.boolean(), laptops: z.number() });

export type OwnedCategory = z.output<typeof ownedCategory>;

export const readCatalog = call("GET /catalog", {
  access: "owner",
  summary: "All categories in their order, and the version of this list",
  reads: ["categories", "products"],
  answers: { 200: z.object({ version: z.string(), categories: z.array(ownedCategory) }) },
});

/** The list's version that the owner saw, so that no owner overwrites another's change. */
const basedOn = z
  .string("Say which version of the list you saw.")
  .max(20, "There is no such list.");

const noPlace = "There is no such place in the list.";

const limit = { max: 200, minutes: 60 };

/** Enough for the largest picture. */
const maxBodyBytes = 128 * 1024;

export const addCategory = call("POST /categories", {
  access: "owner",
  limit,
  summary: "Add a category at the end of the list",
  body: categoryForm.extend({ basedOn }),
  maxBodyBytes,
  changes: ["categories"],
  answers: { 200: inserted },
  refusals: ["IN_USE", "STALE"],
});

export const changeCategory = call("PUT /categories/{id}", {
  access: "owner",
  limit,
  summary: "Rename, hide, show or move a category, or change its picture",
  body: categoryForm.partial().extend({
    hidden: z.boolean("Say whether to hide the category.").optional(),
    /** Starts at 1. */
    place: z.int("Say which place.").min(1, noPlace).max(maxCategories, noPlace).optional(),
    basedOn,
  }),
  maxBodyBytes,
  changes: ["categories"],
  answers: { 200: modified },
  refusals: ["IN_USE", "STALE"],
});

export const moveForm = z.object({
  moveTo: z.uuid("Choose a category for the laptops.").toLowerCase(),
});

export const deleteCategory = call("POST /categories/{id}/delete", {
  access: "owner",
  limit,
  summary: "Move a category's laptops to the category `moveTo`, and delete the category",
  body: moveForm.extend({ basedOn }),
  changes: ["categories", "products"],
  answers: { 200: deleted },
  refusals: ["IN_USE", "STALE", "CONFIRM_PASSWORD", "CONFIRM_PROVIDER"],
});
