import { BadgeCheck } from "lucide-react";

/** Marks a seller whom an admin has verified. */
export function VerifiedBadge() {
  return (
    <span className="inline-flex text-info" title="Verified seller: checked by our team">
      <BadgeCheck className="size-4.5" aria-hidden="true" />
      <span className="sr-only">Verified seller</span>
    </span>
  );
}
