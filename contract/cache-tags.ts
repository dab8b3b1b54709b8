/**
 * Tags of cached public responses. Each database change names the tags that it makes stale
 * (server/db/schema).
 */
export const cacheTags = {
  /**
   * Every page of the category's list, and pages of its laptops that show fewer than three similar
   * laptops. Stale when a product enters the list.
   */
  category: (id: string) => `category:${id}`,
  /** Every page of the list of advertised products. */
  advertised: "advertised",
  /** Responses that contain the product. Stale when the product or its seller's rating changes. */
  product: (id: string) => `product:${id}`,
  /**
   * The seller's page and the pages of the seller's laptops. Stale when the seller's name,
   * verification, sales, reviews or reply time change.
   */
  seller: (id: string) => `seller:${id}`,
  /** Lists of the seller's laptops for sale. Stale when a laptop enters the list. */
  sellerListings: (id: string) => `seller-listings:${id}`,
  /** Pages of laptops whose fair price is based on this group of sales. */
  fairPrice: (group: string) => `fair-price:${group}`,
  /** Pages of all laptops with a fair price. */
  fairPrices: "fair-prices",
  categories: "categories",
  /** Every page. Stale when the owner publishes the shop's settings. */
  shop: "shop",
  /** Every tagged response. */
  all: "all",
} as const;
