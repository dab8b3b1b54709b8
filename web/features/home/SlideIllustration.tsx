import { Link } from "react-router";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { EmptyDrawing } from "#web/ui/drawings.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import type { Slide } from "./slides.ts";

type SlideIllustrationProps = {
  laptop: Product | undefined;
  state: Slide["state"] | undefined;
  eager: boolean;
};

export function SlideIllustration({ laptop, state, eager }: SlideIllustrationProps) {
  // There are fewer advertised laptops than slides.
  if (!laptop)
    return (
      <svg viewBox="0 0 320 240" aria-hidden="true" className="mx-auto h-auto w-full max-w-md">
        <EmptyDrawing />
      </svg>
    );
  const photo = (
    <Photo
      img={laptop.img}
      preview={laptop.img_preview}
      alt=""
      eager={eager}
      first={eager}
      sizes="(width >= 64rem) 34rem, (width >= 48rem) 45vw, calc(100vw - 5rem)"
    />
  );
  const price = formatPrice(laptop.resale_price);
  if (state)
    return (
      <div className="slide-card" aria-hidden="true">
        {photo}
        <span className="slide-card-plate">
          <span className="flex items-center gap-2 font-semibold text-primary">
            <Icon name={state.icon} className="size-5" />
            {state.label}
          </span>
          <strong className="font-display text-heading tabular-nums">{price}</strong>
        </span>
      </div>
    );
  const { _id, product_name, resale_price, original_price, condition, location } = laptop;
  return (
    <Link to={paths.laptop(_id, product_name)} className="slide-card">
      {photo}
      <span className="slide-card-plate">
        <span className="font-display font-semibold text-heading">
          <ProductName name={product_name} />
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
          <strong className="font-display text-price">{price}</strong>
          {/* The carousel shows only plausible prices. */}
          {original_price > resale_price && (
            <s className="text-muted">{formatPrice(original_price)}</s>
          )}
        </span>
        <span className="text-label text-muted">
          {condition} · <bdi>{location}</bdi>
        </span>
      </span>
    </Link>
  );
}
