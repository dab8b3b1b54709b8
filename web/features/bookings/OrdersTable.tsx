import { useInfiniteQuery } from "@tanstack/react-query";
import { type Booking, listBookings } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { ToDo, useOpenTasks } from "#web/domain/deals/ToDo.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { nextOrderStep, OrderPayment } from "./OrderPayment.tsx";
import { OrderStatus } from "./OrderStatus.tsx";

const columns: Column<Booking>[] = [
  serialNumber(),
  {
    header: "Image",
    as: "photo",
    cell: ({ bookingProduct: { img, product_name } }) => <Thumbnail img={img} alt={product_name} />,
  },
  {
    header: "Title",
    as: "title",
    cell: (booking) => (
      <>
        <p className="font-medium">
          <LaptopLink {...booking.bookingProduct} />
        </p>
        <OrderStatus booking={booking} />
      </>
    ),
  },
  { header: "Price", as: "amount", cell: ({ price }) => formatPrice(price) },
  { header: "Payment", cell: (booking) => <OrderPayment booking={booking} /> },
];

export function OrdersTable({ session }: { session: Session }) {
  const bookings = useInfiniteQuery({
    ...listOf(listBookings, { params: { email: session.user.email } }),
    refetchInterval: ({ state }) => pollWhileDue(state.data?.pages.flatMap(({ body }) => body)),
  });
  const tasks = useOpenTasks("buyer");
  // Waits for the tasks too. Otherwise the to-do list would appear later and push the table down.
  const query = tasks ? bookings : { ...bookings, data: undefined };
  return (
    <QueryState
      query={query}
      skeleton={<TableSkeleton columns={columns} />}
      empty={
        <>
          <ToDo steps={tasks ?? []} />
          <NoOrders session={session} />
        </>
      }
    >
      {(rows) => (
        <>
          <ToDo steps={[...(tasks ?? []), ...rows.map(nextOrderStep)]} />
          <DataTable caption="My Orders" columns={columns} rows={rows} />
        </>
      )}
    </QueryState>
  );
}

const noOrders = {
  buyer: {
    title: "You haven't booked a laptop yet",
    text: "Find one you like and press Book Now. We'll hold it for you while you decide.",
    to: `${paths.home()}#categories`,
    label: "Find a laptop",
  },
  seller: {
    title: "You have no orders",
    text: "Only buyers can book laptops. You can become one in your Profile.",
    to: paths.profile(),
    label: "Go to Profile",
  },
  admin: {
    title: "You have no orders",
    text: "Admins can't book laptops.",
    to: paths.allSellers(),
    label: "Go to All Sellers",
  },
};

function NoOrders({ session }: { session: Session }) {
  const other = session.isAdmin ? "admin" : "seller";
  const { title, text, to, label } = noOrders[isBuyer(session) ? "buyer" : other];
  return (
    <Notice title={title} drawing>
      <p>{text}</p>
      <ButtonLink to={to}>{label}</ButtonLink>
    </Notice>
  );
}

/** Polls while a refund is due, or while the list shows a hold that should have expired. */
function pollWhileDue(bookings: Booking[] = []): number | false {
  const isDue = ({ state, heldUntil, refund }: Booking) =>
    refund?.state === "refund_due" || (state === "held" && Date.parse(heldUntil) <= Date.now());
  return bookings.some(isDue) && 30_000;
}
