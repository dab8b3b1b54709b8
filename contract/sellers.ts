import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { call, date, id } from "./call.ts";
import { checksOfSeller } from "./members.ts";
import { product, productTags } from "./products.ts";
import { rating } from "./reviews.ts";

export const seller = z.object({
  _id: id,
  name: z.string(),
  verify: z.boolean(),
  checks: checksOfSeller,
  memberSince: date,
  sold: z.number(),
  /** Usual reply time to messages; null if unknown or above 72 hours. */
  repliesWithinHours: z.number().nullable(),
  rating: rating.nullable(),
});

export type Seller = z.output<typeof seller>;

const sellerIn = (asked: unknown) => (asked as { id: string }).id;

export const readSeller = call("GET /sellers/{id}", {
  access: "public",
  summary: "A seller: rating, sales and since when they are a member",
  reads: ["products", "reviews"],
  replica: true,
  cacheTags: ({ params: asked }) => [cacheTags.seller(sellerIn(asked))],
  answers: { 200: seller },
  refusals: ["GONE"],
});

export const listSellerLaptops = call("GET /sellers/{id}/products", {
  access: "public",
  summary: "A seller's available laptops, newest first",
  reads: ["products"],
  replica: true,
  cacheTags: ({ params: asked, ...answer }) => [
    cacheTags.seller(sellerIn(asked)),
    cacheTags.sellerListings(sellerIn(asked)),
    ...productTags(answer),
  ],
  paged: true,
  answers: { 200: z.array(product) },
  refusals: ["GONE"],
});
