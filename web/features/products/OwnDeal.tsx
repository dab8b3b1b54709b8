import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { listBookings } from "#contract/bookings.ts";
import type { Product } from "#contract/products.ts";
import { listOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { UnavailableNote, type UnavailableStatus } from "./UnavailableNote.tsx";

const texts: Record<UnavailableStatus, [title: string, text: string]> = {
  booked: ["On hold for you", "You have booked this laptop."],
  sold: ["Sold to you", "You bought this."],
};

type OwnDealProps = { laptop: Product; status: UnavailableStatus; forOthers: ReactNode };

/**
 * Tells members that they hold the laptop or have bought it; others see `forOthers`. Members with a
 * deal also see the original description, without masked contact details.
 */
export default function OwnDeal({ laptop, status, forOthers }: OwnDealProps) {
  const email = useSession()?.user.email ?? "";
  const { data = [] } = useInfiniteQuery(listOf(listBookings, { params: { email } }));
  const own = data.find(
    ({ bookingProduct, state }) =>
      bookingProduct._id === laptop._id && ["held", "paid", "completed"].includes(state),
  );
  if (!own) return forOthers;
  const { description } = own.bookingProduct;
  const [title, text] = texts[status];
  return (
    <UnavailableNote title={title}>
      {text}{" "}
      <Link to={paths.myOrders()} className="link">
        My Orders
      </Link>
      {description !== laptop.description && (
        <span className="user-text mt-2 block whitespace-pre-line">{description}</span>
      )}
    </UnavailableNote>
  );
}
