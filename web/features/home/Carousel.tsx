import { type RefObject, type UIEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Product } from "#contract/products.ts";
import { useHydratingMark } from "#web/start/markup.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { useShop } from "#web/ui/use-shop.ts";
import { SlideItem, slides } from "./Slides.tsx";

/** Follows the WAI-ARIA carousel pattern. Native scrolling allows swiping and needs no scripts. */
export function Carousel({ laptops }: { laptops: Product[] }) {
  const track = useRef<HTMLUListElement>(null);
  const carousel = useCarousel(track);
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

const slideDurationMs = 8000;
const reducedMotion = "(prefers-reduced-motion: reduce)";

/**
 * Advances until the user takes over, and pauses while hovered or focused. Starts paused if the
 * user prefers reduced motion.
 */
function useCarousel(track: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState(0);
  const [chosen, setRotating] = useState<boolean>();
  const isHydrated = useHydrated();
  const isRotating = chosen ?? (isHydrated && !matchMedia(reducedMotion).matches);
  const moveTo = (index: number) => {
    const { current } = track;
    current?.scrollTo({ left: (index % slides.length) * current.clientWidth });
  };
  const advance = useEffectEvent(() => {
    const isBusy =
      document.hidden || track.current?.parentElement?.matches(":hover, :focus-within");
    if (!isBusy) moveTo(slideOf(track.current) + 1);
  });
  useEffect(() => {
    if (!isRotating) return;
    const timer = setInterval(() => advance(), slideDurationMs);
    return () => clearInterval(timer);
  }, [isRotating]);
  return {
    shown,
    isRotating,
    setRotating,
    stop: () => setRotating(false),
    show: (index: number) => {
      setRotating(false);
      moveTo(index);
    },
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => setShown(slideOf(currentTarget)),
  };
}

function slideOf(track: HTMLElement | null): number {
  return track ? Math.round(track.scrollLeft / track.clientWidth) : 0;
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
