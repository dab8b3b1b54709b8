import { BadgeCheck } from "lucide-react";

/** The verified badge, with its word or as an icon only. */
export function VerifiedBadge({ worded = false }: { worded?: boolean }) {
  return (
    <span
      className="inline-flex items-center gap-1 text-info"
      title="Verified seller: checked by our team"
    >
      <BadgeCheck className="size-4.5" aria-hidden="true" />
      <span className={worded ? "font-medium" : "sr-only"}>
        Verified<span className="sr-only"> seller</span>
      </span>
    </span>
  );
}
