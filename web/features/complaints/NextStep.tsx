import { type Complaint, closeComplaint } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { StaffOnly } from "#web/auth/StaffOnly.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { toast } from "#web/ui/toast.ts";
import { AdminDecision } from "./AdminDecision.tsx";
import { SellerAnswer } from "./SellerAnswer.tsx";

/** Whether the complaint is undecided, or the refund is waiting for the laptop's return. */
export function isOpen({ decision }: Complaint): boolean {
  return decision === null || decision.returnBy !== null;
}

export function NextStep({ complaint }: { complaint: Complaint }) {
  const { role, answer, decision } = complaint;
  if (role === "admin")
    return (
      <StaffOnly access="support" to="decide this complaint">
        <AdminDecision complaint={complaint} />
      </StaffOnly>
    );
  if (decision) return null;
  if (role === "buyer") return <BuyerChoice complaint={complaint} />;
  return answer?.answer === "disagree" ? null : <SellerAnswer complaint={complaint} />;
}

/** Lets the buyer accept the seller's offer or withdraw the complaint. Neither can be undone. */
function BuyerChoice({ complaint }: { complaint: Complaint }) {
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
