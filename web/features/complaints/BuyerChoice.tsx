import { type Complaint, closeComplaint } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { toast } from "#web/ui/toast.ts";

/** Lets the buyer accept the seller's offer or withdraw the complaint. Neither can be undone. */
export function BuyerChoice({ complaint }: { complaint: Complaint }) {
  const { _id: id, answer, price } = complaint;
  const close = useCall(closeComplaint, { onSuccess: () => toast.success("Settled.") });
  const choose = (agree: "offer" | "withdraw", done: () => void) => {
    const body = { agree, offer: answer?.offer ?? null };
    close.mutate({ params: { id }, body }, { onSettled: done });
  };
  const offer = answer?.offer != null && formatPrice(answer.offer);
  return (
    <div className="flex flex-wrap gap-3">
      {offer && (
        <ConfirmButton
          look="primary"
          label={`Accept ${offer}`}
          title={`Accept ${offer} back?`}
          message={`You keep the laptop and get ${offer} of the ${formatPrice(price)} back. The seller gets the rest, and the complaint is closed for good.`}
          confirm={`Accept ${offer}`}
          busy={close.isPending}
          onConfirm={(done) => choose("offer", done)}
        >
          Accept {offer}
        </ConfirmButton>
      )}
      <ConfirmButton
        look="plain"
        label="Withdraw the complaint"
        title="Withdraw your complaint?"
        message={`You keep the laptop, and the seller gets all of the ${formatPrice(price)}. You can't complain about this laptop again.`}
        confirm="Withdraw"
        busy={close.isPending}
        onConfirm={(done) => choose("withdraw", done)}
      >
        Withdraw the complaint
      </ConfirmButton>
    </div>
  );
}
