import { writeReview } from "#contract/reviews.ts";
import type { Deal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";

type Written = { text?: string; stars?: number };

export async function review(
  author: Person,
  { booking }: Pick<Deal, "booking">,
  { text = "On time, and as described.", stars = 5 }: Written = {},
): Promise<string> {
  return (await author.call(writeReview, { body: { booking, stars, text } })).insertedId;
}
