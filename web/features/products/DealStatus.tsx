import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { cancelBooking } from "#contract/bookings.ts";
import type { OwnProduct } from "#contract/products.ts";
import { useCall } from "#web/api/api.ts";
import { meetingText } from "#web/domain/deals/meeting-text.ts";
import { Contact } from "#web/domain/members/Contact.tsx";
import { ratingText } from "#web/domain/sellers/seller-texts.ts";
import { paths } from "#web/paths.ts";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { toast } from "#web/ui/toast.ts";
import { UserText } from "#web/ui/UserText.tsx";

/** The notes are loaded on demand, because most deals have no notes. */
const DealNotes = lazy(() => import("./DealNotes.tsx").catch(() => ({ default: () => null })));

type Deal = NonNullable<OwnProduct["deal"]>;

/** The status of the deal on a seller's laptop, with the buyer's contact details. */
export function DealStatus({ deal, listPrice }: { deal: Deal; listPrice: number }) {
  const { bookingId, name, phone, email, location, mayReview, buyerRating, meeting, state } = deal;
  const hasNotes =
    deal.price < listPrice || deal.fee > 0 || deal.partRefund || deal.dispute || deal.returnBy;
  return (
    <div className="mt-2 text-muted text-sm">
      <p>{statusText(deal)}</p>
      {hasNotes && (
        <Suspense fallback={<p>&nbsp;</p>}>
          <DealNotes deal={deal} listPrice={listPrice} />
        </Suspense>
      )}
      <Contact who="Buyer" name={name} phone={phone} email={email} />
      <p>
        <Link to={`${paths.messages()}?deal=${bookingId}`} className="link inline-block py-1">
          Message the buyer
        </Link>
      </p>
      {buyerRating && <p>Rated {ratingText(buyerRating)}</p>}
      {mayReview && (
        <p>
          <Link to={`${paths.reviews()}?deal=${bookingId}`} className="link inline-block py-1">
            Write a review
          </Link>
        </p>
      )}
      {state !== "completed" && (
        <p>
          {meeting ? "Place: " : "Wants to meet at: "}
          <UserText>{meeting?.place ?? location}</UserText>
        </p>
      )}
      {meeting && <p>{meetingText(meeting, "seller")}</p>}
    </div>
  );
}

function statusText({ state, heldUntil, dispute }: Deal): string {
  if (state === "held") return `Held until ${formatDateTime(heldUntil)}. Not paid yet.`;
  if (state === "completed") return "Handed over.";
  return dispute === null || dispute === "won"
    ? "Paid. Meet the buyer and hand it over. Then enter the handover code that they show you."
    : "Paid.";
}

export function EndHoldButton({ product: { product_name }, deal }: EndHoldProps) {
  const cancel = useCall(cancelBooking, {
    onSuccess: () => toast.success(`${product_name} is back on sale.`),
  });
  return (
    <ConfirmButton
      look="danger"
      label={`End hold on ${product_name}`}
      title="End this hold?"
      message={`We'll tell ${deal.name}, and ${product_name} goes back on sale.`}
      confirm="End hold"
      busy={cancel.isPending}
      onConfirm={(done) => cancel.mutate({ params: { id: deal.bookingId } }, { onSettled: done })}
    >
      End hold
    </ConfirmButton>
  );
}

type EndHoldProps = { product: OwnProduct; deal: Deal };
