import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { listBookings } from "#contract/bookings.ts";
import { liveBookingStates, type SalesStatus } from "#contract/life-cycle.ts";
import { listOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";

type Status = Exclude<SalesStatus, "available">;

const texts: Record<Status, [title: string, text: string]> = {
  booked: ["On hold", "Someone has booked this laptop. If they don't pay, you can book it here."],
  sold: ["Sold", "This laptop has found a new owner."],
};

const ownTexts: typeof texts = {
  booked: ["On hold for you", "You have booked this laptop."],
  sold: ["Sold to you", "You bought this."],
};

/** Why a laptop can't be booked. The page is the same for everyone; the browser fills in that it is the reader's. */
export function Unavailable({ id, status }: { id: string; status: Status }) {
  const isOwn = useOwnDeal(id);
  const [title, text] = (isOwn ? ownTexts : texts)[status];
  return (
    <Box title={title}>
      {text}
      {isOwn && (
        <>
          {" "}
          <Link to={paths.myOrders()} className="link">
            My Orders
          </Link>
        </>
      )}
    </Box>
  );
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="rounded-field bg-secondary px-4 py-3 text-secondary-content">
      <strong>{title}.</strong> {children}
    </p>
  );
}

/** Whether the signed-in member holds the laptop, or has bought it. */
function useOwnDeal(id: string): boolean {
  const session = useSession();
  const email = session?.user.email ?? "";
  const { data = [] } = useInfiniteQuery({
    ...listOf(listBookings, { params: { email } }),
    enabled: Boolean(session),
  });
  return data.some(
    ({ bookingProduct, state }) =>
      bookingProduct._id === id && (liveBookingStates as readonly string[]).includes(state),
  );
}
