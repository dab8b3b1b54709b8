import { VerifiedBadge } from "#web/ui/VerifiedBadge.tsx";

const explained = "verified-seller";

/** The verified badge; pressing it explains what it means. */
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
