import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { call, date, id } from "./call.ts";
import { fairPriceRange } from "./fair-price.ts";
import { product, productDetails, productTags } from "./products.ts";
import { seller } from "./sellers.ts";

/** One row of three columns. */
export const similarCount = 3;

/** The data of a laptop's page, for every `sales_status`. */
export const laptop = product.extend({
  withdrawn: z.literal(false),
  ...productDetails,
  linkPreview: z.string(),
  seller: seller.pick({ _id: true, memberSince: true, sold: true, repliesWithinHours: true }),
  /** Oldest first; empty if the price never changed. */
  priceHistory: z.array(z.object({ price: z.number(), since: date })),
  fairPrice: z.object({ range: fairPriceRange.nullable() }),
  /** If three are shown, a better match can take an hour to appear (decisions/similar-laptops). */
  similar: z.array(product),
});

export const withdrawnLaptop = laptop
  .pick({
    _id: true,
    product_categoryId: true,
    category: true,
    product_name: true,
    similar: true,
  })
  .extend({ withdrawn: z.literal(true), seller: z.object({ _id: id }) });

export type Laptop = z.output<typeof laptop>;
export type WithdrawnLaptop = z.output<typeof withdrawnLaptop>;

export const readProduct = call("GET /products/byId/{id}", {
  access: "public",
  summary: "One laptop in any status, with its facts, its seller and similar ones",
  reads: ["products"],
  replica: true,
  cacheTags: ({ body, ...answer }) => {
    const laptop = body as Laptop | WithdrawnLaptop;
    const { _id, product_categoryId, seller, similar } = laptop;
    return [
      cacheTags.product(_id),
      // The link preview shows the shop's name and colors.
      cacheTags.shop,
      // If fewer than three similar laptops are shown, a new one must appear immediately.
      ...(similar.length < similarCount ? [cacheTags.category(product_categoryId)] : []),
      cacheTags.seller(seller._id),
      ...productTags({ ...answer, body: similar }),
    ];
  },
  // One hour in total, including the 30 s in which a CDN revalidates.
  maxAge: { nodeSeconds: 600, cdnSeconds: 2_970 },
  answers: { 200: z.discriminatedUnion("withdrawn", [laptop, withdrawnLaptop]) },
  refusals: ["GONE"],
});

/** In pixels, as Facebook recommends. */
export const linkPreviewSize = { width: 1200, height: 630 } as const;

export const drawLinkPreview = call("GET /link-previews/{id}/{version}.jpg", {
  at: "root",
  access: "public",
  summary:
    "A laptop's link preview with its photo, name, price and condition; the address in its `linkPreview` changes with them, so it can be cached",
  reads: ["products"],
  uncached: true,
  params: z.object({ id, version: z.string().max(64, "There is no such link preview.") }),
  answers: { 200: z.file().mime("image/jpeg") },
  limit: { max: 30, minutes: 10 },
  refusals: ["GONE", "UNAVAILABLE"],
});

export function linkPreviewPath(id: string, version: string): string {
  return `/link-previews/${id}/${version}.jpg`;
}
