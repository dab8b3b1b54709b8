import "./stars.css";
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
