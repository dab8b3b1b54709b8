import { z } from "zod";
import { acknowledged, call, date, deleted, id, modified, ownPage } from "./call.ts";
import { product } from "./products.ts";

export const maxSavedProducts = 200;

export const savedProduct = z.object({
  _id: id,
  product_name: z.string(),
  savedAt: date,
  savedPrice: z.number(),
  bought: z.boolean(),
  /** Null if the listing is no longer public. */
  product: product.nullable(),
});

export type SavedProduct = z.output<typeof savedProduct>;

export const listSavedProducts = call("GET /savedProducts", {
  access: "member",
  summary: "The laptops the caller saved, in any status, the last saved first",
  reads: ["saved", "products"],
  replica: true,
  query: ownPage,
  paged: true,
  answers: { 200: z.array(savedProduct) },
});

export const listSavedProductIds = call("GET /savedProducts/ids", {
  access: "member",
  summary: "The ids of the laptops the caller saved, and whether they get emails about them",
  reads: ["saved"],
  replica: true,
  answers: { 200: z.object({ ids: z.array(id), emails: z.boolean() }) },
});

export const saveProduct = call("PUT /savedProducts/{id}", {
  access: "member",
  summary: "Save a laptop; repeated, it changes nothing",
  changes: ["saved"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: acknowledged },
  refusals: ["TOO_MANY_SAVED"],
});

export const unsaveProduct = call("DELETE /savedProducts/{id}", {
  access: "member",
  summary: "Remove a laptop from the saved ones",
  changes: ["saved"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: deleted },
});

export const setSavedProductEmails = call("PUT /savedProducts", {
  access: "member",
  summary: "Turn emails about saved laptops on or off",
  changes: ["saved"],
  body: z.object({ emails: z.boolean("Send emails, true or false.") }),
  limit: { max: 100, minutes: 60 },
  answers: { 200: modified },
});
