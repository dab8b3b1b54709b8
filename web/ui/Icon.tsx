import sprite from "virtual:icon-sprite";
import type { IconName } from "./icon-names.ts";

/** Screen readers skip the icon, because a label accompanies it. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
