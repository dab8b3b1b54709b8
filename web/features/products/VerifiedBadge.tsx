import type { SellerCheck } from "#contract/members.ts";
import { Icon } from "#web/ui/Icon.tsx";

type Checks = readonly SellerCheck[];

const explained = "verified-seller";

export function VerifiedBadge({ checks }: { checks: Checks }) {
  return (
    <button
      type="button"
      popoverTarget={explained}
      className="verified"
      title={`Verified seller: ${checksText(checks)}`}
    >
      <Icon name="badge-check" className="size-4.5" />
      Verified<span className="sr-only"> seller</span>
    </button>
  );
}

export function VerifiedBadgePopover() {
  return (
    <div popover="auto" id={explained} className="explanation">
      <p className="font-semibold">Verified by our team</p>
      <p className="text-muted">
        One of our admins has verified this seller. The laptop's page says what was checked. Sellers
        who break our trust lose the badge.
      </p>
    </div>
  );
}

const texts: Record<SellerCheck, string> = {
  admin: "checked by our team",
  email: "email address confirmed",
  identity: "identity checked by Stripe",
};

function checksText(checks: Checks): string {
  return checks.map((check) => texts[check]).join(", ");
}

/** `checksText` as a sentence, for pages about a laptop or a seller; empty without checks. */
export function checksSentence(checks: Checks): string {
  const text = checksText(checks);
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
