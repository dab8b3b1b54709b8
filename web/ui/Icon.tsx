import sprite from "virtual:icon-sprite";
import type { IconName } from "./icon-names.ts";

/** An icon in the colour of the text; hidden from screen readers, because a word is always beside it. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
