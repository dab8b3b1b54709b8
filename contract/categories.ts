import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { call, id } from "./call.ts";
import { product, productTags } from "./products.ts";

export const category = z.object({
  _id: id,
  product_category: z.string(),
  brandImg: z.string(),
});

export type Category = z.output<typeof category>;

export const listCategories = call("GET /categories", {
  access: "public",
  openWhileClosed: true,
  summary: "The product categories, without hidden ones",
  reads: ["categories"],
  replica: true,
  cacheTags: () => [cacheTags.categories],
  answers: { 200: z.array(category) },
});

export const readCategory = call("GET /categories/{id}", {
  access: "public",
  summary: "One category, also a hidden one",
  reads: ["categories"],
  replica: true,
  cacheTags: () => [cacheTags.categories],
  answers: { 200: category },
});

export const listCategoryProducts = call("GET /categoryProducts/{id}", {
  access: "public",
  summary: "The available products of a category, newest first",
  reads: ["products"],
  replica: true,
  cacheTags: ({ params, ...answer }) => [
    cacheTags.category((params as { id: string }).id),
    ...productTags(answer),
  ],
  paged: true,
  answers: { 200: z.array(product) },
});
