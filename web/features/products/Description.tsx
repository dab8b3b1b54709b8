import { useCallback, useState } from "react";

type DescriptionProps = { text: string; of: string };

/**
 * A description clamped to two lines. Hovering or a More button shows the full text
 * (specification 2, Product card).
 */
export function Description({ text, of }: DescriptionProps) {
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  const watchCut = useCallback((lines: HTMLParagraphElement) => {
    const watch = new ResizeObserver(() => setCut(lines.scrollHeight > lines.clientHeight));
    watch.observe(lines);
    return () => watch.disconnect();
  }, []);
  return (
    <div className="description">
      <p
        ref={watchCut}
        dir="auto"
        title={isCut && !isOpen ? text : undefined}
        className={isOpen ? "whitespace-pre-line" : "line-clamp-2"}
      >
        {text}
      </p>
      {(isCut || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-description={of}
          className="link font-medium"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Less" : "More"}
        </button>
      )}
    </div>
  );
}
