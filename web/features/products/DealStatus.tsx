import { lazy, Suspense } from "react";
import type { OwnProduct } from "#contract/products.ts";
import { DealProgress } from "#web/domain/deals/DealProgress.tsx";
import { meetingText } from "#web/domain/deals/meeting-text.ts";
import { Contact } from "#web/domain/members/Contact.tsx";
import { ratingText } from "#web/domain/sellers/seller-texts.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";

/** The notes are loaded on demand, because most deals have no notes. */
const DealNotes = lazy(() => import("./DealNotes.tsx").catch(() => ({ default: () => null })));

type Deal = NonNullable<OwnProduct["deal"]>;

export function DealStatus({ deal, listPrice }: { deal: Deal; listPrice: number }) {
  const { name, phone, email, location, buyerRating, meeting, state, complaint } = deal;
  const hasNotes =
    deal.price < listPrice || deal.fee > 0 || deal.partRefund || deal.dispute || deal.returnBy;
  return (
    <div className="mt-2 text-muted text-sm">
      <DealProgress deal={deal} last="Paid out" isOver={deal.paidOut} />
      <p>{statusText(deal)}</p>
      {complaint && (
        <p>
          {complaint.answerBy
            ? `The buyer complained. Answer by ${formatDateTime(complaint.answerBy)}.`
            : "The buyer complained."}
        </p>
      )}
      {hasNotes && (
        <Suspense fallback={<p>&nbsp;</p>}>
          <DealNotes deal={deal} listPrice={listPrice} />
        </Suspense>
      )}
      <Contact who="Buyer" name={name} phone={phone} email={email} />
      {buyerRating && <p>Rated {ratingText(buyerRating)}</p>}
      {state !== "completed" && (
        <p>
          {meeting ? "Place: " : "Wants to meet at: "}
          <bdi>{meeting?.place ?? location}</bdi>
        </p>
      )}
      {meeting && state !== "completed" && <p>{meetingText(meeting, "seller")}</p>}
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
