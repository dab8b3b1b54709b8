import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { listBookings } from "#contract/bookings.ts";
import { listOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { UnavailableNote, type UnavailableStatus } from "./UnavailableNote.tsx";

const texts: Record<UnavailableStatus, [title: string, text: string]> = {
  booked: ["On hold for you", "You have booked this laptop."],
  sold: ["Sold to you", "You bought this."],
};

type OwnDealProps = { id: string; status: UnavailableStatus; forOthers: ReactNode };

/** That the signed-in member holds the laptop, or has bought it; to others what everyone reads. */
export default function OwnDeal({ id, status, forOthers }: OwnDealProps) {
  const email = useSession()?.user.email ?? "";
  const { data = [] } = useInfiniteQuery(listOf(listBookings, { params: { email } }));
  const isOwn = data.some(
    ({ bookingProduct, state }) =>
      bookingProduct._id === id && ["held", "paid", "completed"].includes(state),
  );
  if (!isOwn) return forOthers;
  const [title, text] = texts[status];
  return (
    <UnavailableNote title={title}>
      {text}{" "}
      <Link to={paths.myOrders()} className="link">
        My Orders
      </Link>
    </UnavailableNote>
  );
}
