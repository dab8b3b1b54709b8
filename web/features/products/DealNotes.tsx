import type { ReactNode } from "react";
import type { DisputeState } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/price.ts";
import type { OwnProduct } from "#contract/products.ts";
import { partRefundText } from "#web/domain/deals/payment-texts.ts";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { TextLink } from "#web/ui/Link.tsx";

type DealNotesProps = { deal: NonNullable<OwnProduct["deal"]>; listPrice: number };

export default function DealNotes({ deal, listPrice }: DealNotesProps): ReactNode {
  const { bookingId, price, fee, gets, partRefund, returnBy, dispute, state } = deal;
  return (
    <>
      {returnBy && (
        <p>
          The buyer gives it back by {formatDateTime(returnBy)}. Once you have it,{" "}
          <TextLink to={paths.handover(bookingId)}>enter their return code</TextLink>: then they are
          refunded.
        </p>
      )}
      {price < listPrice && (
        <p>
          Agreed price: {formatPrice(price)}. Listed at {formatPrice(listPrice)}.
        </p>
      )}
      {partRefund && <p>{partRefundText(partRefund, "seller")}</p>}
      {fee > 0 && !returnBy && (dispute === null || dispute === "won") && (
        <p>
          You get {formatPrice(gets)} after our {formatPrice(fee)} fee.
        </p>
      )}
      {dispute && <p>{disputeText(dispute, state === "paid")}</p>}
    </>
  );
}

function disputeText(dispute: DisputeState, hasLaptop: boolean): string {
  const question = "The buyer's bank questioned this payment";
  const keepIt = hasLaptop ? " Please keep the laptop." : "";
  if (dispute === "won") return `${question}, and decided that it stands.`;
  if (dispute === "lost") return `${question}, and gave the money back to the buyer.${keepIt}`;
  return `${question} and hasn't decided yet. We'll email you when it has.${keepIt}`;
}
