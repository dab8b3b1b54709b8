import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { buttonClass } from "#web/ui/Button.tsx";
import { type Slide, slides } from "./slides.tsx";

/**
 * The three slides of the home page. They scroll sideways by themselves, so a finger and
 * a page without scripts will do; nothing moves unless asked to.
 */
export function Carousel() {
  const track = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);
  const show = (index: number) => {
    const { current } = track;
    current?.scrollTo({ left: index * current.clientWidth, behavior: "smooth" });
  };
  return (
    <section aria-roledescription="carousel" aria-label="What Secondlap is" className="relative">
      <ul
        ref={track}
        className="carousel-track"
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setShown(Math.round(scrollLeft / clientWidth))
        }
      >
        {slides.map((slide, index) => (
          <SlideItem key={slide.headline} slide={slide} index={index} />
        ))}
      </ul>
      <Controls shown={shown} onShow={show} />
    </section>
  );
}

function SlideItem({ slide, index }: { slide: Slide; index: number }) {
  const { headline, text, action, scene, ground, button } = slide;
  const Headline = index === 0 ? "h1" : "h2";
  return (
    <li
      aria-roledescription="slide"
      aria-label={`${index + 1} of ${slides.length}`}
      className={`carousel-slide ${ground}`}
    >
      <div className="flex flex-col items-start gap-5 sm:gap-6">
        <Headline className="text-headline">{headline}</Headline>
        <p className="max-w-[34rem] text-base opacity-90 sm:text-lg">{text}</p>
        <Link to={action.to} className={buttonClass({ look: button, size: "large" })}>
          {action.label}
        </Link>
      </div>
      <div className="mx-auto w-full max-w-[17rem] sm:max-w-sm md:max-w-lg">{scene}</div>
    </li>
  );
}

/** From the last slide on to the first: a button that went dead would lose the focus of who is at it. */
function Controls({ shown, onShow }: { shown: number; onShow: (index: number) => void }) {
  return (
    <div className="mt-4 flex items-center justify-center gap-4">
      <button
        type="button"
        className="btn btn-circle btn-ghost btn-sm"
        aria-label="Previous slide"
        onClick={() => onShow((shown + slides.length - 1) % slides.length)}
      >
        <ChevronLeft className="size-5" aria-hidden="true" />
      </button>
      <div className="flex gap-1">
        {slides.map(({ headline }, index) => (
          <button
            key={headline}
            type="button"
            className="carousel-dot"
            aria-label={`Slide ${index + 1}: ${headline}`}
            aria-current={index === shown}
            onClick={() => onShow(index)}
          />
        ))}
      </div>
      <button
        type="button"
        className="btn btn-circle btn-ghost btn-sm"
        aria-label="Next slide"
        onClick={() => onShow((shown + 1) % slides.length)}
      >
        <ChevronRight className="size-5" aria-hidden="true" />
      </button>
    </div>
  );
}
