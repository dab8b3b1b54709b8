import { Link } from "react-router";
import { type Booking, cancelBooking } from "#contract/bookings.ts";
import { afterPayment } from "#contract/deal-texts.ts";
import { confirmHandover } from "#contract/handover.ts";
import { isOpenBooking } from "#contract/life-cycle.ts";
import { ConfirmCallButton } from "#web/api/CallButton.tsx";
import { paths } from "#web/paths.ts";
import { ActionMenu } from "#web/ui/ActionMenu.tsx";

export default function OrderMenu({ booking }: { booking: Booking }) {
  const { _id, state, paid, meeting, bookingProduct } = booking;
  const { hasOpenComplaint, returnBy, mayReview } = booking;
  const { _id: product, product_name } = bookingProduct;
  const isOpen = isOpenBooking(state);
  if (!isOpen && !paid) return null;
  return (
    // The key remounts the menu when the order's state changes, which closes the menu.
    <ActionMenu key={state} of={product_name}>
      {state === "paid" && <HaveIt booking={booking} />}
      {state === "paid" && meeting?.state !== "agreed" && (
        <Link to={`${paths.handover(_id)}#code`}>Handover code</Link>
      )}
      {state === "held" && <Link to={paths.handover(_id)}>Place and time</Link>}
      {isOpen && <Link to={`${paths.messages()}?about=${product}`}>Message the seller</Link>}
      {(hasOpenComplaint || returnBy) && mayReview && (
        <Link to={`${paths.reviews()}?deal=${_id}`}>Write a review</Link>
      )}
      {paid && (
        <Link to={paths.payment(_id)} aria-label={`Receipt for ${product_name}`}>
          Receipt
        </Link>
      )}
      {state === "held" && <EndHold booking={booking} />}
    </ActionMenu>
  );
}

function HaveIt({ booking: { _id, bookingProduct } }: { booking: Booking }) {
  return (
    <ConfirmCallButton
      label={`I have it: ${bookingProduct.product_name}`}
      title="Do you have the laptop?"
      message={`Confirm only once you have it in your hands. ${afterPayment.sayWhatIsWrong}`}
      confirm="Yes, I have it"
      call={confirmHandover}
      request={{ body: { id: _id } }}
      success="Enjoy your laptop!"
    >
      I have it
    </ConfirmCallButton>
  );
}

function EndHold({ booking: { _id, bookingProduct } }: { booking: Booking }) {
  const { product_name } = bookingProduct;
  return (
    <ConfirmCallButton
      look="danger"
      label={`End hold on ${product_name}`}
      title={`End your hold on ${product_name}?`}
      message="Anyone will be able to book it, and you may not get it back."
      call={cancelBooking}
      request={{ params: { id: _id } }}
      success={`Your hold on ${product_name} has ended.`}
    >
      End hold
    </ConfirmCallButton>
  );
}
