import { Flag } from "lucide-react";
import { useId } from "react";
import { conditionDescriptions, type Product } from "#contract/products.ts";
import { isBuyer } from "#contract/roles.ts";
import { type Session, useSession } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConditionMeter } from "#web/ui/ConditionMeter.tsx";
import { formatDate, formatMonths } from "#web/ui/format.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { ProductName } from "#web/ui/ProductName.tsx";
import { TimeAgo } from "#web/ui/TimeAgo.tsx";
import { UserText } from "#web/ui/UserText.tsx";
import { Description } from "./Description.tsx";
import { Prices } from "./Prices.tsx";
import { trackViews } from "./track-views.ts";
import { VerifiedSeller } from "./VerifiedSeller.tsx";

type ProductCardProps = {
  product: Product;
  /** Whether it is likely above the fold, so its photo loads eagerly. */
  first: boolean;
  /** Whether the signed-in seller listed it. */
  own: boolean;
  onBook: () => void;
  onReport: () => void;
};

/** A product card (specification 2, Product card). */
export function ProductCard({ product, first, own, onBook, onReport }: ProductCardProps) {
  const { product_name, seller_name, verify, description, img, img_preview, postedAt } = product;
  const session = useSession();
  const mayBuy = !session || isBuyer(session);
  return (
    <article
      className="product-card"
      data-product={product._id}
      ref={mayBuy ? trackViews : undefined}
    >
      <Photo
        img={img}
        preview={img_preview}
        alt={product_name}
        eager={first}
        sizes="(width >= 64rem) 24rem, (width >= 40rem) 45vw, calc(100vw - 2.5rem)"
      />
      <h3 className="text-heading">
        <ProductName name={product_name} />
      </h3>
      <Prices resale={product.resale_price} original={product.original_price} />
      <Condition condition={product.condition} />
      <Facts product={product} />
      <Description text={description} of={product_name} />
      <footer className="flex flex-col gap-4">
        <p className="flex items-center gap-1.5 text-label">
          <span className="min-w-0 font-medium">
            <UserText>{seller_name}</UserText>
          </span>
          {verify && <VerifiedSeller />}
          <TimeAgo at={postedAt} className="ml-auto text-muted" />
        </p>
        <Actions
          name={product_name}
          whyDisabled={session && !mayBuy ? whyDisabled(session, own) : undefined}
          onBook={onBook}
          onReport={onReport}
        />
      </footer>
    </article>
  );
}

function Condition({ condition }: Pick<Product, "condition">) {
  return (
    <div className="condition">
      <dl>
        <div className="flex items-center gap-2">
          <dt className="text-label text-muted">Condition</dt>
          <dd className="font-semibold">{condition}</dd>
          <ConditionMeter condition={condition} />
        </div>
      </dl>
      <p className="text-label text-muted">{conditionDescriptions[condition]}</p>
    </div>
  );
}

function Facts({ product }: { product: Product }) {
  const { yearOf_purchase, use_duration, location, postedAt } = product;
  const facts: [name: string, value: string][] = [
    ["Purchase Year", String(yearOf_purchase)],
    ["Use Duration", formatMonths(use_duration)],
    ["Location", location],
    ["Date of Post", formatDate(postedAt)],
  ];
  return (
    <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-2.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-label text-muted">{name}</dt>
          <dd dir="auto" className="user-text font-medium tabular-nums" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function whyDisabled({ isAdmin }: Session, own: boolean): string {
  if (own) return "This is your listing. Only buyers can book or report it.";
  const role = isAdmin ? "an admin" : "a seller";
  return `You're signed in as ${role}. Only buyers can book or report.`;
}

type ActionsProps = {
  name: string;
  whyDisabled: string | undefined;
  onBook: () => void;
  onReport: () => void;
};

/** Booking and reporting are for buyers; visitors are sent to log in first. */
function Actions({ name, whyDisabled: why, onBook, onReport }: ActionsProps) {
  const id = useId();
  const shared = { disabled: why !== undefined, "aria-describedby": `${id}-laptop ${id}-why` };
  return (
    <div title={why}>
      <span id={`${id}-laptop`} hidden>
        {name}
      </span>
      <div className="-ml-4 flex items-center gap-2">
        <Button look="quiet" onClick={onReport} {...shared}>
          <Flag className="size-4" aria-hidden="true" />
          Report
        </Button>
        <Button onClick={onBook} className="flex-1" {...shared}>
          Book Now
        </Button>
      </div>
      {why && (
        <p id={`${id}-why`} className="mt-2 text-label text-muted">
          {why}
        </p>
      )}
    </div>
  );
}
