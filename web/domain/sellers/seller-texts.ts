import type { Rating } from "#contract/reviews.ts";
import type { Seller } from "#contract/sellers.ts";
import { counted, formatMonthAndYear } from "../../ui/format-dates-and-counts.ts";

/** A rating as text: "4.2 of 5 stars (12 reviews)". */
export function ratingText({ stars, reviews }: Rating): string {
  return `${stars.toFixed(1)} of 5 stars (${counted(reviews, "review")})`;
}

type SellerRecord = Pick<Seller, "memberSince" | "sold" | "repliesWithinHours">;

/** Such as "Member since March 2026. 3 laptops sold here. Usually replies within 2 hours." */
export function sellerRecordText({ memberSince, sold, repliesWithinHours }: SellerRecord): string {
  const sentences = [
    `Member since ${formatMonthAndYear(memberSince)}.`,
    // Short, because a late font could wrap a longer text on phones and move the page.
    sold === 0 ? "No sales yet." : `${counted(sold, "laptop")} sold here.`,
  ];
  if (repliesWithinHours !== null)
    sentences.push(`Usually replies within ${period(repliesWithinHours)}.`);
  // Lines break only between sentences.
  return sentences.map((sentence) => sentence.replaceAll(" ", "\u00a0")).join(" ");
}

function period(hours: number): string {
  if (hours === 1) return "an hour";
  if (hours < 24) return counted(hours, "hour");
  return hours === 24 ? "a day" : counted(hours / 24, "day");
}
