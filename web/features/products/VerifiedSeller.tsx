import { VerifiedBadge } from "#web/ui/VerifiedBadge.tsx";

const explained = "verified-seller";

/** The badge of a verified seller; pressed, it says what that means. */
export function VerifiedSeller() {
  return (
    <button
      type="button"
      popoverTarget={explained}
      className="-m-2 flex flex-none cursor-help rounded-full p-2"
    >
      <VerifiedBadge worded />
    </button>
  );
}

/** What the badge means: one for all the badges of a page. */
export function VerifiedSellerExplained() {
  return (
    <div popover="auto" id={explained} className="explanation">
      <p className="font-semibold">Verified by our team</p>
      <p className="text-muted">
        A Secondlap admin has verified this seller. Sellers who break our trust lose the badge.
      </p>
    </div>
  );
}
