/**
 * Tags of cached public answers. A change in the database names the tags it makes stale
 * (server/db/schema).
 */
export const cacheTags = {
  /** Every page of the category's list, and laptops with room for another similar one: a product was added to it. */
  category: (id: string) => `category:${id}`,
  /** Every page of the advertised products. */
  advertised: "advertised",
  /** The answers that contain the product: it changed. */
  product: (id: string) => `product:${id}`,
  /** The pages of the seller and of their laptops: name, verification, sales, reviews or reply time changed. */
  seller: (id: string) => `seller:${id}`,
  /** The lists of the seller's laptops for sale: one was added. */
  sellerListings: (id: string) => `seller-listings:${id}`,
  /** The pages of laptops that are compared with this group of sales. */
  fairPrice: (group: string) => `fair-price:${group}`,
  /** The pages of all laptops with a fair price. */
  fairPrices: "fair-prices",
  categories: "categories",
  /** Every tagged answer. */
  all: "all",
} as const;
