/** Tags of cached public responses. server/db/schema names the tags that a change makes stale. */
export const cacheTags = {
  /**
   * Lists of the category, and pages of its laptops that show fewer than three similar laptops.
   * Stale when a laptop enters the category's list, or when one of its sellers changes.
   */
  category: (id: string) => `category:${id}`,
  advertised: "advertised",
  /** Responses that contain the product. Stale when the product, its seller or a rating changes. */
  product: (id: string) => `product:${id}`,
  /** Pages of the seller and of their laptops. Stale when shown data about the seller changes. */
  seller: (id: string) => `seller:${id}`,
  /** Lists of the seller's laptops for sale. Stale when a laptop enters the list. */
  sellerListings: (id: string) => `seller-listings:${id}`,
  categories: "categories",
  /** Pages and calls that depend on the shop's settings. Stale when settings are published. */
  shop: "shop",
  all: "all",
} as const;
