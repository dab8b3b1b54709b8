import "./stars.css";
import type { Rating } from "#contract/reviews.ts";
import { Icon } from "./Icon.tsx";

const places = [1, 2, 3, 4, 5];

/** The stars of one review. */
export function Stars({ stars }: { stars: number }) {
  return (
    <span role="img" aria-label={`${stars} of 5 stars`} className="stars">
      {places.map((place) => (
        <Icon key={place} name="star" className={place <= stars ? "star-full" : ""} />
      ))}
    </span>
  );
}

/** "4.2 (12 reviews)" after one star. */
export function RatingText({ rating }: { rating: Rating }) {
  const { stars, reviews } = rating;
  return (
    <span className="stars" title="Out of 5. With few reviews, it stays near 4.">
      <Icon name="star" className="star-full" />
      <span>
        <strong>{stars.toFixed(1)}</strong>
        <span className="sr-only"> of 5 stars</span>
        {` (${reviews === 1 ? "1 review" : `${reviews} reviews`})`}
      </span>
    </span>
  );
}
