import { Flag } from "lucide-react";
import { formatPrice } from "#contract/money.ts";
import type { Product } from "#contract/products.ts";
import { isBuyer } from "#contract/roles.ts";
import { useSession } from "#web/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { dateInWords, monthsInWords } from "#web/ui/in-words.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { VerifiedBadge } from "#web/ui/VerifiedBadge.tsx";

type ProductCardProps = {
  product: Product;
  /** Among the first in view, so its photo is not put off. */
  first: boolean;
  onBook: () => void;
  onReport: () => void;
};

/** A laptop for sale (specification 2, Product card). */
export function ProductCard({ product, first, onBook, onReport }: ProductCardProps) {
  const { product_name, seller_name, verify, description, img } = product;
  return (
    <article className="product-card">
      <Photo
        img={img}
        alt={product_name}
        eager={first}
        sizes="(width >= 64rem) 24rem, (width >= 40rem) 50vw, 100vw"
      />
      <header className="flex flex-col gap-1">
        <h3 className="text-heading">{product_name}</h3>
        <p className="flex items-center gap-1 text-muted text-sm">
          {seller_name}
          {verify && <VerifiedBadge />}
        </p>
      </header>
      <Prices product={product} />
      <Facts product={product} />
      <p className="line-clamp-2 text-muted text-sm" title={description}>
        {description}
      </p>
      <Actions name={product_name} onBook={onBook} onReport={onReport} />
    </article>
  );
}

function Prices({ product: { resale_price, original_price } }: { product: Product }) {
  const saved = original_price - resale_price;
  return (
    <dl className="flex flex-wrap content-end items-end gap-x-6 gap-y-2">
      <div>
        <dt className="text-muted text-xs">Resale Price</dt>
        <dd className="mt-1 font-bold font-display text-3xl tabular-nums leading-none tracking-[-0.01em]">
          {formatPrice(resale_price)}
        </dd>
      </div>
      <div>
        <dt className="text-muted text-xs">Original Price</dt>
        <dd className="flex flex-wrap items-center gap-2 tabular-nums">
          <span className="text-muted line-through">{formatPrice(original_price)}</span>
          {saved > 0 && (
            <span className="rounded-full bg-secondary px-2.5 py-0.5 font-medium text-secondary-content text-xs">
              Save {formatPrice(saved)}
            </span>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Facts({ product }: { product: Product }) {
  const { condition, yearOf_purchase, use_duration, location, postedAt } = product;
  const facts = {
    Condition: condition,
    "Purchase Year": yearOf_purchase,
    "Date of Post": dateInWords(postedAt),
    "Use Duration": monthsInWords(use_duration),
    Location: location,
  };
  return (
    <dl className="grid grid-cols-6 content-start gap-x-4 gap-y-2.5 border-line border-y py-3.5 text-sm">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="col-span-2 min-w-0 nth-[n+4]:col-span-3">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="truncate font-medium" title={String(value)}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type ActionsProps = { name: string; onBook: () => void; onReport: () => void };

/** Booking and reporting are for buyers; a visitor who presses is asked to log in first. */
function Actions({ name, onBook, onReport }: ActionsProps) {
  const session = useSession();
  const disabled = session ? !isBuyer(session) : false;
  return (
    <div className="-ml-3 flex items-center justify-between gap-3">
      <Button look="quiet" disabled={disabled} onClick={onReport} aria-description={name}>
        <Flag className="size-4" aria-hidden="true" />
        Report
      </Button>
      <Button disabled={disabled} onClick={onBook} aria-description={name} className="px-6">
        Book Now
      </Button>
    </div>
  );
}
