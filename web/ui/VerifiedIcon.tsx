import { Icon } from "./Icon.tsx";

export const verifiedMeaning = "Verified seller: checked by our team";

/** The verified badge as an icon; its word is for screen readers. */
export function VerifiedBadge() {
  return (
    <span className="verified" title={verifiedMeaning}>
      <Icon name="badge-check" className="size-4.5" />
      <span className="sr-only">Verified seller</span>
    </span>
  );
}
