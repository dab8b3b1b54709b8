import { Link } from "react-router";
import { formatPrice, savings } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { EmptyDrawing } from "#web/ui/drawings.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import { useShop } from "#web/ui/use-shop.ts";

type Slide = {
  headline: string;
  text: string;
  action: { label: string; to: string };
  /** The pictured laptop's state. If absent, the laptop is for sale, and the slide links to it. */
  state?: { icon: IconName; label: string };
  background: string;
  button: "primary" | "accent";
};

/**
 * The carousel's slides (specification 1). Two sentences repeat `contract/deal-texts.ts`, to avoid
 * loading that file. A test compares them.
 */
export const slides: Slide[] = [
  {
    headline: "Used laptops, paid safely, handed over in person",
    text: "Book one for free, and pay when you're sure.",
    action: { label: "Find a laptop", to: "#categories" },
    background: "bg-deep text-deep-content on-deep",
    button: "accent",
  },
  {
    headline: "One tap, and nobody else can take it",
    text: "Pay by card when you're sure. We keep your money until after the handover.",
    action: { label: "Choose a brand", to: "#categories" },
    state: { icon: "clock", label: "Held for you" },
    background: "bg-sand text-sand-content",
    button: "primary",
  },
  {
    headline: "Your old laptop has years left in it",
    text: "Add a photo, a price and an honest description, and it's listed.",
    action: { label: "Sell a laptop", to: paths.addProduct() },
    state: { icon: "badge-check", label: "Listed" },
    background: "bg-secondary text-secondary-content",
    button: "primary",
  },
];

type SlideItemProps = { slide: Slide; index: number; laptop: Product | undefined };

export function SlideItem({ slide, index, laptop }: SlideItemProps) {
  const { name } = useShop();
  const { headline, text, action, state, background, button } = slide;
  const Headline = index === 0 ? "h1" : "h2";
  return (
    <li
      aria-roledescription="slide"
      aria-label={`${index + 1} of ${slides.length}`}
      className={`carousel-slide ${background}`}
    >
      <div className="flex flex-col items-start gap-5 sm:gap-6">
        <Headline className="text-headline">
          {index === 0 && (
            <span className="mb-3 block font-sans text-heading">{`Welcome to ${name} `}</span>
          )}
          {headline}
        </Headline>
        <p className="max-w-[34rem] text-base opacity-90 sm:text-lg">{text}</p>
        <ButtonLink to={action.to} look={button} size="large">
          {action.label}
        </ButtonLink>
      </div>
      <SlideIllustration laptop={laptop} state={state} eager={index === 0} />
    </li>
  );
}

type IllustrationProps = {
  laptop: Product | undefined;
  state: Slide["state"] | undefined;
  eager: boolean;
};

function SlideIllustration({ laptop, state, eager }: IllustrationProps) {
  // The shop may advertise fewer laptops than there are slides.
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
  const { _id, product_name, condition, location } = laptop;
  return (
    <Link to={paths.laptop(_id, product_name)} className="slide-card">
      {photo}
      <span className="slide-card-plate">
        <span className="font-display font-semibold text-heading">
          <ProductName name={product_name} />
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
          <strong className="font-display text-price">{price}</strong>
          {savings(laptop) > 0 && (
            <s className="text-muted">{formatPrice(laptop.original_price)}</s>
          )}
        </span>
        <span className="text-label text-muted">
          {condition} · <bdi>{location}</bdi>
        </span>
      </span>
    </Link>
  );
}
