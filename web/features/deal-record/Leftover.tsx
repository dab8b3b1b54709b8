import { type DealRecord, settleLeftover } from "#contract/deal-records.ts";
import { formatPrice } from "#contract/price.ts";
import { ConfirmCallButton } from "#web/api/CallButton.tsx";
import { TextDialog } from "#web/api/form-call.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";

const cameBack =
  "It was taken back from the seller, or the bank returned it, after this deal was settled. Decide who gets it.";
const unclaimed =
  "It's the seller's, but they can't receive it: they have no bank account, or are suspended. It goes to them as soon as they can. If it can't wait, return it to the buyer.";

export function Leftover({ deal }: { deal: DealRecord }) {
  const { _id: id, leftover: amount, leftoverWaits } = deal;
  const price = formatPrice(amount);
  return (
    <section className="rounded-box border border-line bg-base-100 p-5 sm:p-8">
      <h2 className="mb-2 text-heading">
        {leftoverWaits ? `${price} can't reach the seller` : `${price} came back to this deal`}
      </h2>
      <p>{leftoverWaits ? unclaimed : cameBack}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {!leftoverWaits && (
          <ConfirmCallButton
            label={`Send ${price} to the seller`}
            title={`Send ${price} to the seller?`}
            message="They get it in their account at the card provider, less what they owe for other sales."
            confirm="Send it"
            call={settleLeftover}
            request={{ params: { id }, body: { to: "seller", amount } }}
            success="It's on its way to the seller."
          >
            Send to the seller
          </ConfirmCallButton>
        )}
        <DialogButton
          aria-label={`Refund ${price} to the buyer`}
          dialog={(onClose) => <RefundDialog deal={deal} onClose={onClose} />}
        >
          Refund the buyer
        </DialogButton>
      </div>
    </section>
  );
}

function RefundDialog({ deal, onClose }: { deal: DealRecord; onClose: () => void }) {
  const { _id: id, leftover: amount, leftoverToBuyer, leftoverWaits } = deal;
  const rest = amount - leftoverToBuyer;
  const asPaid =
    rest > 0
      ? ` ${formatPrice(rest)} of it wasn't paid by card, and goes back as the credit or discount it was paid with.`
      : "";
  return (
    <TextDialog
      title={`Refund ${formatPrice(amount)} to the buyer?`}
      label="Reason"
      hint={`${leftoverWaits ? "Buyer and seller read it" : "The buyer reads it"} in our email.${asPaid}`}
      call={settleLeftover}
      field="reason"
      request={(reason) => ({ params: { id }, body: { to: "buyer" as const, amount, reason } })}
      success="It's on its way to the buyer."
      onClose={onClose}
    />
  );
}
