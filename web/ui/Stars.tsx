import "./stars.css";
import { type ComponentProps, useId } from "react";
import { Icon } from "./Icon.tsx";

const places = [1, 2, 3, 4, 5];

export function Stars({ stars }: { stars: number }) {
  return (
    <span role="img" aria-label={`${stars} of 5 stars`} className="stars">
      {places.map((place) => (
        <Icon key={place} name="star" className={place <= stars ? "star-full" : ""} />
      ))}
    </span>
  );
}

type StarChoiceProps = { legend: string; error: string | undefined } & ComponentProps<"input">;

export function StarChoice({ legend, error, ...input }: StarChoiceProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={id}>
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      <div className="star-choice">
        {places.map((place) => (
          <label key={place}>
            <input {...input} type="radio" value={place} aria-invalid={error !== undefined} />
            <Icon name="star" />
            <span className="sr-only">{place === 1 ? "1 star" : `${place} stars`}</span>
          </label>
        ))}
      </div>
      <p id={id} aria-live="polite" className="mt-1 min-h-5 text-error text-sm">
        {error}
      </p>
    </fieldset>
  );
}
