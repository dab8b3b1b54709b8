import { type Complaint, closeComplaint } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { toast } from "#web/ui/toast.ts";

/** For the buyer: accept what the seller offers, or withdraw the complaint. */
export function BuyerChoice({ complaint: { _id: id, answer } }: { complaint: Complaint }) {
  const close = useCall(closeComplaint, { onSuccess: () => toast.success("Settled.") });
  const choose = (agree: "offer" | "withdraw") =>
    close.mutate({ params: { id }, body: { agree, offer: answer?.offer ?? null } });
  return (
    <div className="flex flex-wrap gap-3">
      {answer?.offer != null && (
        <Button busy={close.isPending} onClick={() => choose("offer")}>
          Accept {formatPrice(answer.offer)}
        </Button>
      )}
      <Button look="plain" busy={close.isPending} onClick={() => choose("withdraw")}>
        Withdraw: it's fine after all
      </Button>
    </div>
  );
}
