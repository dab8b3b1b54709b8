import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { type Booking, listBookings } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { type NextStep, ToDo, useOpenTasks } from "#web/domain/deals/ToDo.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
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
  { header: "Payment", cell: (booking) => <PaymentCell booking={booking} /> },
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

/** Loaded after the table, because the menu includes dialogs. */
const OrderMenu = lazy(() => import("./OrderMenu.tsx").catch(() => ({ default: () => null })));

/** Shows Pay during a hold, and Paid in green after payment (specification 2.3). */
function PaymentCell({ booking }: { booking: Booking }) {
  const { paid, state, refund } = booking;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {paid && (
        <span className="inline-flex items-baseline gap-1.5 font-semibold text-success">
          <Icon name="circle-check" className="size-4.5 self-center" />
          Paid
        </span>
      )}
      {!paid && state !== "held" && (
        <span className="text-muted">{endedLabels[refund?.state ?? state]}</span>
      )}
      <div className="flex flex-wrap items-center gap-1">
        <NextStepLink booking={booking} />
        <Suspense fallback={<span className="size-8" />}>
          <OrderMenu booking={booking} />
        </Suspense>
      </div>
    </div>
  );
}

const endedLabels: Record<string, string> = {
  cancelled: "Canceled",
  expired: "Expired",
  refund_due: "Refund on its way",
  refunded: "Refunded",
  refund_failed: "Refund failed",
};

function NextStepLink({ booking }: { booking: Booking }) {
  const step = nextOrderStep(booking);
  if (!step) return null;
  const { label, to } = step;
  return (
    <ButtonLink
      to={to}
      aria-label={`${label} for ${booking.bookingProduct.product_name}`}
      size="small"
    >
      {label}
    </ButtonLink>
  );
}

function nextOrderStep(booking: Booking): NextStep | undefined {
  const { _id, state, price, heldUntil, meeting, bookingProduct } = booking;
  const { hasOpenComplaint, returnBy, mayReview } = booking;
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
  if (hasOpenComplaint) return { label: "See complaint", to: paths.complaint(_id) };
  if (!mayReview) return undefined;
  const to = `${paths.reviews()}?deal=${_id}`;
  return { label: "Write a review", to, task: `Review the seller of ${name}` };
}
