import type { Rating } from "#contract/reviews.ts";

/** A rating as text: "4.2 of 5 stars (12 reviews)". */
export function ratingText({ stars, reviews }: Rating): string {
  return `${stars.toFixed(1)} of 5 stars (${reviews === 1 ? "1 review" : `${reviews} reviews`})`;
}

/** A reply time as text: "Usually replies within 2 hours". */
export function replyTimeText(hours: number): string {
  return `Usually replies within ${periodText(hours)}`;
}

function periodText(hours: number): string {
  if (hours === 1) return "an hour";
  if (hours < 24) return `${hours} hours`;
  return hours === 24 ? "a day" : `${hours / 24} days`;
}
