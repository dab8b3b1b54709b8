import { Icon } from "#web/ui/Icon.tsx";
import { verifiedMeaning } from "#web/ui/VerifiedBadge.tsx";

const explained = "verified-seller";

/** The verified badge with its word; pressing it explains what it means. */
export function VerifiedSeller() {
  return (
    <button type="button" popoverTarget={explained} className="verified" title={verifiedMeaning}>
      <Icon name="badge-check" className="size-4.5" />
      Verified<span className="sr-only"> seller</span>
    </button>
  );
}

/** The explanation, shared by all badges on the page. */
export function VerifiedSellerPopover() {
  return (
    <div popover="auto" id={explained} className="explanation">
      <p className="font-semibold">Verified by our team</p>
      <p className="text-muted">
        A Secondlap admin has verified this seller. Sellers who break our trust lose the badge.
      </p>
    </div>
  );
}
