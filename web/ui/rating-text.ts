import type { Rating } from "#contract/reviews.ts";

/** "4.2 of 5 stars (12 reviews)". */
export function ratingText({ stars, reviews }: Rating): string {
  return `${stars.toFixed(1)} of 5 stars (${reviews === 1 ? "1 review" : `${reviews} reviews`})`;
}
