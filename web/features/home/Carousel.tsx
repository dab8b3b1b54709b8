import { useRef } from "react";
import { Link } from "react-router";
import type { Product } from "#contract/products.ts";
import { useHydratingMark } from "#web/start/markup.tsx";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { useShop } from "#web/ui/use-shop.ts";
import { SlideIllustration } from "./SlideIllustration.tsx";
import { type Slide, slides } from "./slides.ts";
import { useCarousel } from "./use-carousel.ts";

/** Follows the WAI-ARIA carousel pattern. Native scrolling allows swiping and needs no scripts. */
export function Carousel({ laptops }: { laptops: Product[] }) {
  const track = useRef<HTMLUListElement>(null);
  const carousel = useCarousel(track, slides.length);
  return (
    <section
      aria-roledescription="carousel"
      aria-label={`About ${useShop().name}`}
      className="flex flex-col-reverse"
      {...useHydratingMark()}
    >
      <Controls {...carousel} />
      <ul
        ref={track}
        id="slides"
        className="snap-strip carousel-track"
        onScroll={carousel.onScroll}
        onPointerDown={carousel.stop}
        onWheel={carousel.stop}
      >
        {slides.map((slide, index) => (
          <SlideItem key={slide.headline} slide={slide} index={index} laptop={laptops[index]} />
        ))}
      </ul>
    </section>
  );
}

type SlideItemProps = { slide: Slide; index: number; laptop: Product | undefined };

function SlideItem({ slide, index, laptop }: SlideItemProps) {
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
        <Link to={action.to} className={buttonClass({ look: button, size: "large" })}>
          {action.label}
        </Link>
      </div>
      <SlideIllustration laptop={laptop} state={state} eager={index === 0} />
    </li>
  );
}

type ControlsProps = Omit<ReturnType<typeof useCarousel>, "onScroll" | "stop">;

/** The controls wrap around at the ends, because a disabled button would lose focus. */
function Controls({ shown, show, isRotating, setRotating }: ControlsProps) {
  return (
    <div className="mt-4 flex items-center justify-center gap-2">
      <Control
        label={isRotating ? "Pause slideshow" : "Play slideshow"}
        icon={isRotating ? "pause" : "play"}
        onClick={() => setRotating(!isRotating)}
      />
      <Control
        label="Previous slide"
        icon="chevron-left"
        onClick={() => show(shown + slides.length - 1)}
      />
      <div className="flex">
        {slides.map(({ headline }, index) => (
          <button
            key={headline}
            type="button"
            className="carousel-dot"
            aria-label={`Slide ${index + 1}: ${headline}`}
            aria-current={index === shown}
            onClick={() => show(index)}
          />
        ))}
      </div>
      <Control label="Next slide" icon="chevron-right" onClick={() => show(shown + 1)} />
    </div>
  );
}

type ControlProps = { label: string; icon: IconName; onClick: () => void };

function Control({ label, icon, onClick }: ControlProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-controls="slides"
      className="btn btn-circle btn-ghost btn-sm"
      onClick={onClick}
    >
      <Icon name={icon} className="size-5" />
    </button>
  );
}
