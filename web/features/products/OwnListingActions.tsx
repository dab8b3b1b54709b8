import { type OwnProduct, toggleAdvertise } from "#contract/products.ts";
import { useCall } from "#web/api/api.ts";
import type { NextStep } from "#web/domain/deals/ToDo.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";

type AdvertiseButtonProps = { product: OwnProduct; size?: "small" | "medium" };

export function AdvertiseButton({ product, size = "small" }: AdvertiseButtonProps) {
  const { _id, product_name, advertise } = product;
  const label = advertise ? "Advertise On" : "Advertise Off";
  const toggle = useCall(toggleAdvertise);
  return (
    <Button
      look="plain"
      size={size}
      busy={toggle.isPending}
      aria-label={`${label}: ${product_name}`}
      onClick={() => toggle.mutate({ body: { id: _id, advertiseStatus: advertise } })}
    >
      <span className={advertise ? "switch switch-on" : "switch"} aria-hidden="true" />
      {label}
    </Button>
  );
}

/** Returns the seller's next step for a listing; undefined if there is nothing to do now. */
export function nextProductStep({ _id, product_name, deal }: OwnProduct): NextStep | undefined {
  if (!deal) return { label: "Edit", to: paths.editProduct(_id) };
  const { bookingId, state, dispute, meeting, complaint, returnBy, mayReview } = deal;
  const handover = paths.handover(bookingId);
  if (complaint?.answerBy)
    return {
      label: "Answer complaint",
      to: paths.complaint(bookingId),
      task: `Answer the complaint about ${product_name} by ${formatDateTime(complaint.answerBy)}`,
    };
  if (returnBy)
    return {
      label: "Enter return code",
      to: handover,
      task: `Take back ${product_name} by ${formatDateTime(returnBy)}`,
    };
  // The seller keeps the laptop during an inquiry or a dispute, and after losing a dispute.
  if (state === "paid" && dispute !== null && dispute !== "won") return undefined;
  if (state === "paid" && meeting?.state === "agreed") return { label: "Hand over", to: handover };
  if (state !== "completed") {
    const isProposed = meeting?.by === "buyer" && meeting.state === "proposed";
    const task = isProposed
      ? `Answer the proposed time and place for ${product_name}`
      : `Agree on a time and place for ${product_name}`;
    const isDue = isProposed || (state === "paid" && !meeting);
    return { label: "Place and time", to: handover, ...(isDue && { task }) };
  }
  if (!mayReview) return undefined;
  const to = `${paths.reviews()}?deal=${bookingId}`;
  return { label: "Write a review", to, task: `Review the buyer of ${product_name}` };
}
