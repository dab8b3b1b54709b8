import { sql } from "kysely";
import type { Rating } from "#contract/reviews.ts";

export function ratingOf({ reviews, sum }: { reviews: number; sum: number }): Rating | null {
  if (reviews === 0) return null;
  return { stars: Math.round((sum / reviews) * 10) / 10, reviews };
}

/** SQL: the argument of `ratingOf`. Counts only published reviews that weren't removed. */
export function ratedColumn(role: "buyer" | "seller", member: string) {
  const author = role === "seller" ? "buyer" : "seller";
  return sql<{ reviews: number; sum: number }>`(
    select json_build_object('reviews', count(*), 'sum', coalesce(sum(stars), 0)) from reviews
    where subject_id = ${sql.ref(member)} and author_role = ${sql.lit(author)}
      and published_at is not null and removed_at is null)`;
}

/**
 * SQL: whether the member can review a booking now. `booking` and `member` are names of id columns.
 */
export function mayReviewColumn(booking: string, member: string, now: Date) {
  const [bookingId, author] = [sql.ref(booking), sql.ref(member)];
  return sql<boolean>`exists (select from review_windows as w
    where w.booking_id = ${bookingId} and w.published_at is null and w.closes_at > ${now}
      and not exists (select from reviews
        where reviews.booking_id = w.booking_id and reviews.author_id = ${author}))`;
}
