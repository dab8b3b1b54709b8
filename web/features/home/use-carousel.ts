import {
  type RefObject,
  type UIEvent,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from "react";

/** How long a slide stays, in milliseconds. */
const stay = 8000;

/**
 * Which slide shows, and the ways to another. The slides move on by themselves until somebody takes them in
 * hand; not while they are pointed at or focused, and never for who asked for less motion.
 */
export function useCarousel(track: RefObject<HTMLElement | null>, count: number) {
  const [shown, setShown] = useState(0);
  const [wish, setRotating] = useState<boolean>();
  const wantsStillness = useSyncExternalStore(subscribe, asksForStillness, onServer);
  const isRotating = wish ?? !wantsStillness;
  const moveTo = (index: number) => {
    const { current } = track;
    current?.scrollTo({ left: (index % count) * current.clientWidth });
  };
  const moveOn = useEffectEvent(() => {
    const isBusy =
      document.hidden || track.current?.parentElement?.matches(":hover, :focus-within");
    if (!isBusy) moveTo(slideOf(track.current) + 1);
  });
  useEffect(() => {
    if (!isRotating) return;
    const timer = setInterval(() => moveOn(), stay);
    return () => clearInterval(timer);
  }, [isRotating]);
  return {
    shown,
    isRotating,
    setRotating,
    /** Stops for good: a person has taken over. */
    rest: () => setRotating(false),
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

const stillness = "(prefers-reduced-motion: reduce)";
const asksForStillness = () => matchMedia(stillness).matches;
const onServer = () => true;

function subscribe(notice: () => void) {
  const query = matchMedia(stillness);
  query.addEventListener("change", notice);
  return () => query.removeEventListener("change", notice);
}
