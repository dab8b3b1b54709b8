/** Tags of cached public responses. server/db/schema names the tags that a change makes stale. */
export const cacheTags = {
  /** Lists, and laptop pages with under three similar laptops. Stale when a product is listed. */
  category: (id: string) => `category:${id}`,
  advertised: "advertised",
  /** Responses that contain the product. Stale when the product or its seller's rating changes. */
  product: (id: string) => `product:${id}`,
  /** The pages of the seller and their laptops. Stale when a fact about the seller changes. */
  seller: (id: string) => `seller:${id}`,
  /** Lists of the seller's laptops for sale. Stale when a laptop enters the list. */
  sellerListings: (id: string) => `seller-listings:${id}`,
  categories: "categories",
  /** Every page. Stale when the owner publishes the shop's settings. */
  shop: "shop",
  all: "all",
} as const;
