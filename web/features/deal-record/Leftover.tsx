import { type DealRecord, settleLeftover } from "#contract/deal-records.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { toast } from "#web/ui/toast.ts";

const asPaid = "goes back as the credit or discount it was paid with";
const theDay = "the day in the email you got about it";
const ifTheSellers =
  "a bank decided for them, no complaint gave the buyer a part, nobody took money back at the card provider, and they can receive it";
const cameBack = `The money was taken back from the seller, or the bank returned it, after this deal was settled. Decide who gets it. If nobody does by ${theDay}, it goes to the seller if ${ifTheSellers}. Otherwise it goes back to the buyer.`;
const waiting = `It was sent to the seller, but they can't receive it any more: their account at the card provider is closed, or they are suspended. If they still can't on ${theDay}, it goes back to the buyer.`;

/** What becomes of the part that the card hasn't paid. */
function aboutRest(rest: string, waits: boolean): string {
  const next = waits
    ? `It goes on waiting for the seller, and ${asPaid} if they can't receive it in time.`
    : `You'll get another email about it: send it to the seller then. If nobody does, the seller gets it if ${ifTheSellers}. Otherwise it ${asPaid}.`;
  return ` The other ${rest} wasn't paid by card. ${next}`;
}

/** Money that came back to a settled deal, and who an admin sends it to. */
export function Leftover({ deal }: { deal: DealRecord }) {
  const { _id: id, leftover: amount, leftoverToBuyer, leftoverWaits } = deal;
  const send = useCall(settleLeftover, {
    onError: (error) => toast.error(error.message),
    onSuccess: (_, { body }) => toast.success(`It's on its way to the ${body.to}.`),
  });
  const price = formatPrice(amount);
  const refund = formatPrice(leftoverToBuyer);
  const rest = amount - leftoverToBuyer;
  const about = rest > 0 ? aboutRest(formatPrice(rest), leftoverWaits) : "";
  const sendTo = (to: "buyer" | "seller") => (done: () => void) =>
    void send
      .mutateAsync({ params: { id }, body: { to, amount } })
      .catch(() => {})
      .finally(done);
  return (
    <section className="rounded-box border border-line bg-base-100 p-5 sm:p-8">
      <h2 className="mb-2 text-heading">
        {leftoverWaits ? `${price} can't reach the seller` : `${price} came back to this deal`}
      </h2>
      <p>{leftoverWaits ? waiting : cameBack}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {!leftoverWaits && (
          <ConfirmButton
            look="plain"
            label={`Send ${price} to the seller`}
            title={`Send ${price} to the seller?`}
            message="They get it in their account at the card provider, less what they owe for other sales."
            confirm="Send it"
            busy={send.isPending}
            onConfirm={sendTo("seller")}
          >
            Send to the seller
          </ConfirmButton>
        )}
        {leftoverToBuyer > 0 && (
          <ConfirmButton
            look="plain"
            label={`Refund ${refund} to the buyer`}
            title={`Refund ${refund} to the buyer?`}
            message={`It goes back to the card they paid with.${about}`}
            confirm="Refund it"
            busy={send.isPending}
            onConfirm={sendTo("buyer")}
          >
            Refund the buyer
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}
