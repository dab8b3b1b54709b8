import type { Booking } from "#contract/bookings.ts";
import type { NextStep } from "#web/domain/deals/ToDo.tsx";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format.ts";

export function nextOrderStep(booking: Booking): NextStep | undefined {
  const { _id, state, price, heldUntil, meeting, returnBy, mayReview, bookingProduct } = booking;
  const name = bookingProduct.product_name;
  const handover = paths.handover(_id);
  if (returnBy)
    return {
      label: "Show return code",
      to: handover,
      task: `Return ${name} by ${formatDateTime(returnBy)}`,
    };
  if (state === "held" && price > 0)
    return {
      label: "Pay",
      to: paths.payment(_id),
      task: `Pay for ${name} by ${formatDateTime(heldUntil)}`,
    };
  if (state === "paid" && meeting?.state === "agreed")
    return { label: "Handover code", to: handover };
  if (state === "paid") {
    const task = `Agree on a time and place for ${name}`;
    return { label: "Place and time", to: handover, ...(meeting?.by !== "buyer" && { task }) };
  }
  if (!mayReview) return undefined;
  const to = `${paths.reviews()}?deal=${_id}`;
  return { label: "Write a review", to, task: `Review the seller of ${name}` };
}
