import { type RefObject, type UIEvent, useEffect, useEffectEvent, useState } from "react";
import { useHydrated } from "#web/ui/use-hydrated.ts";

const slideDurationMs = 8000;
const reducedMotion = "(prefers-reduced-motion: reduce)";

/**
 * Advances until the user takes over, and pauses while hovered or focused. Starts paused if the
 * user prefers reduced motion.
 */
export function useCarousel(track: RefObject<HTMLElement | null>, count: number) {
  const [shown, setShown] = useState(0);
  const [chosen, setRotating] = useState<boolean>();
  const isHydrated = useHydrated();
  const isRotating = chosen ?? (isHydrated && !matchMedia(reducedMotion).matches);
  const moveTo = (index: number) => {
    const { current } = track;
    current?.scrollTo({ left: (index % count) * current.clientWidth });
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
    /** Stops the carousel until the user starts it again. */
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
