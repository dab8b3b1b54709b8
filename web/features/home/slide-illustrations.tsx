import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { savings } from "#web/domain/products/savings.ts";
import { paths } from "#web/paths.ts";
import { LapTrack, LaptopFigure } from "#web/ui/drawings.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import { UserText } from "#web/ui/UserText.tsx";

export type IllustrationProps = { laptop: Product | undefined; eager: boolean };

/** A laptop for sale, with a link to its page. */
export function ForSale({ laptop, eager }: IllustrationProps) {
  if (!laptop) return <PlaceholderLaptop />;
  const { _id, product_name, resale_price, original_price, condition, location } = laptop;
  return (
    <Link to={paths.laptop(_id, product_name)} className="slide-card">
      <CardPhoto laptop={laptop} eager={eager} />
      <CardText>
        <span className="font-display font-semibold text-heading">
          <ProductName name={product_name} />
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
          <strong className="font-display text-price">{formatPrice(resale_price)}</strong>
          {savings({ resale: resale_price, original: original_price }) > 0 && (
            <s className="text-muted">{formatPrice(original_price)}</s>
          )}
        </span>
        <span className="text-label text-muted">
          {condition} · <UserText>{location}</UserText>
        </span>
      </CardText>
    </Link>
  );
}

/** The laptop as My Orders shows it during a hold. */
export function Held({ laptop, eager }: IllustrationProps) {
  if (!laptop) return <PlaceholderLaptop />;
  return (
    <div className="slide-card" aria-hidden="true">
      <CardPhoto laptop={laptop} eager={eager} />
      <CardText>
        <span className="flex items-center gap-2 font-semibold">
          <Icon name="clock" className="size-5 text-primary" />
          Held for you
        </span>
        <span className="h-1.5 overflow-hidden rounded-full bg-base-300">
          <span className="block h-full w-4/5 rounded-full bg-primary" />
        </span>
        <span className="flex items-center justify-between gap-6">
          <strong className="font-display text-heading tabular-nums">
            {formatPrice(laptop.resale_price)}
          </strong>
          <span className="rounded-full bg-primary px-4 py-1.5 font-semibold text-primary-content text-sm">
            Pay
          </span>
        </span>
      </CardText>
    </div>
  );
}

/** The laptop as its seller sees it. */
export function Listed({ laptop, eager }: IllustrationProps) {
  if (!laptop) return <PlaceholderLaptop />;
  return (
    <div className="slide-card" aria-hidden="true">
      <CardPhoto laptop={laptop} eager={eager} />
      <CardText>
        <span className="flex items-center gap-2 font-semibold text-success">
          <Icon name="badge-check" className="size-5" />
          Listed
        </span>
        <span className="flex items-baseline justify-between gap-8 text-sm">
          Your price
          <strong className="font-display text-heading tabular-nums">
            {formatPrice(laptop.resale_price)}
          </strong>
        </span>
        <span className="flex items-center justify-between gap-8 text-sm">Advertise On</span>
      </CardText>
    </div>
  );
}

function CardPhoto({ laptop, eager }: { laptop: Product; eager: boolean }) {
  return (
    <Photo
      img={laptop.img}
      preview={laptop.img_preview}
      alt=""
      eager={eager}
      first={eager}
      sizes="(width >= 64rem) 34rem, (width >= 48rem) 45vw, calc(100vw - 5rem)"
    />
  );
}

function CardText({ children }: { children: ReactNode }) {
  return <span className="slide-card-plate">{children}</span>;
}

/** Shown if there is no advertised laptop. */
function PlaceholderLaptop() {
  return (
    <svg viewBox="0 0 320 216" aria-hidden="true" className="mx-auto h-auto w-full max-w-md">
      <LaptopFigure>
        <LapTrack />
      </LaptopFigure>
    </svg>
  );
}
