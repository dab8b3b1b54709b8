import { formatPrice } from "#contract/price.ts";
import { Logo } from "#web/ui/Logo.tsx";
import { GallerySection, Row } from "./Gallery.tsx";

/** Backgrounds with their text colors. */
const backgrounds = [
  "bg-base-100 text-base-content",
  "bg-base-200 text-muted",
  "bg-base-300 text-base-content",
  "bg-primary text-primary-content",
  "bg-secondary text-secondary-content",
  "bg-accent text-accent-content",
  "bg-deep text-deep-content",
  "bg-sand text-sand-content",
  "bg-neutral text-neutral-content",
  "bg-base-100 text-success",
  "bg-base-100 text-warning",
  "bg-base-100 text-error",
  "bg-base-100 text-info",
];

/** Typography, colors and logo. */
export function Language() {
  return (
    <GallerySection title="Language">
      <Row>
        <Logo />
      </Row>
      <p className="font-display font-semibold text-headline">A good laptop</p>
      <p className="font-display font-semibold text-title">deserves a second lap</p>
      <p className="font-display font-semibold text-subtitle">from someone who looked after it</p>
      <p className="font-display font-semibold text-heading">MacBook Air 13 M4</p>
      <p className="font-bold font-display text-price tabular-nums">{formatPrice(1819)}</p>
      <p>Bought from people, passed on with care.</p>
      <p className="text-label text-muted">Resale Price</p>
      <ul className="grid grid-cols-4 gap-3">
        {backgrounds.map((classes) => (
          <li key={classes} className={`rounded-box border border-line p-4 ${classes}`}>
            {classes.replaceAll(/(bg|text)-/g, "")}
          </li>
        ))}
      </ul>
    </GallerySection>
  );
}
