import { useQuery } from "@tanstack/react-query";
import { encode } from "uqr";
import {
  type CreditChange,
  type OwnInvitations,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { QrCode } from "#web/ui/QrCode.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { toast } from "#web/ui/toast.ts";
import { useShop } from "#web/ui/use-shop.ts";

export function OwnInvitationsView() {
  const own = useQuery(queryOf(readOwnInvitations, {}));
  return (
    <QueryState query={own} skeleton={<Spinner />}>
      {(found) => (
        <>
          <Link own={found} />
          <Credit credit={found.credit} />
        </>
      )}
    </QueryState>
  );
}

function Link({ own: { link, code } }: { own: OwnInvitations }) {
  const copy = async () => {
    await navigator.clipboard.writeText(link).then(
      () => toast.success("Link copied."),
      () => toast.error("We couldn't copy the link. Select it and copy it yourself."),
    );
  };
  const { name } = useShop();
  const share = async () => {
    if (!navigator.share) return await copy();
    // Closing the share sheet isn't an error.
    await navigator.share({ title: name, url: link }).catch(() => {});
  };
  return (
    <section aria-label="Your link" className="flex flex-wrap items-start gap-6">
      <div className="flex min-w-56 flex-1 flex-col gap-3">
        <h2 className="text-heading">Your link</h2>
        <p className="break-all">{link}</p>
        <p className="text-muted text-sm">
          Or tell your friend your code: <strong className="font-mono">{code}</strong>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void share()}>
            <Icon name="share-2" className="size-4" />
            Share
          </Button>
          <Button look="plain" onClick={() => void copy()}>
            <Icon name="copy" className="size-4" />
            Copy link
          </Button>
        </div>
      </div>
      <div className="min-w-56">
        <QrCode rows={encode(link, { ecc: "M", border: 4 }).data} label="QR code of your link" />
      </div>
    </section>
  );
}

function Credit({ credit: { balance, next, changes } }: Pick<OwnInvitations, "credit">) {
  return (
    <section aria-label="Your credit" className="mt-8">
      <h2 className="text-heading">Your credit</h2>
      <p className="mt-2 font-bold font-display text-3xl tabular-nums">{formatPrice(balance)}</p>
      <p className="text-muted text-sm">
        It's taken off your next purchase when you pay.
        {next && ` ${formatPrice(next.amount)} of it expires on ${formatDateTime(next.expiresAt)}.`}
      </p>
      {changes.length > 0 && (
        <ul className="mt-4 divide-y divide-line">
          {changes.map((change) => (
            <li key={`${change.at} ${change.kind} ${change.amount}`} className="flex gap-4 py-2">
              <span className="font-medium tabular-nums">
                {`${change.amount < 0 ? "−" : "+"}${formatPrice(Math.abs(change.amount))}`}
              </span>
              <span className="flex-1">{whyOf(change)}</span>
              <DateTime at={change.at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function whyOf({ kind, ownDiscount }: CreditChange): string {
  if (ownDiscount) return "Your invitation discount, for a laptop you bought at full price";
  return {
    credit_earned: "A friend you invited bought a laptop",
    credit_spent: "Used for a laptop",
    credit_returned: "Back from a laptop you didn't keep",
    credit_expired: "Expired",
  }[kind];
}
