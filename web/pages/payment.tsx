import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BookingToPay, findBookingToPay } from "#contract/bookings.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, throwIfNotFound } from "#web/auth/guard.ts";
import type { Session } from "#web/auth/session.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { acceptKeptInvitation } from "#web/features/invitations/kept-invitation.ts";
import { PaymentCompleted, Receipt } from "#web/features/payments/PaymentCompleted.tsx";
import { PaymentScreen } from "#web/features/payments/PaymentScreen.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/payment.ts";

export const meta = pageMeta("Payment");

/** Fetches the booking before the page shows (specification 2.3). */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { user } = await requireMember(request);
  await acceptKeptInvitation();
  await browserQueries.query(queryOf(findBookingToPay, { params })).catch(throwIfNotFound);
  return user;
}

export default function Payment({ loaderData: member, params }: Route.ComponentProps) {
  const booking = useQuery({ ...queryOf(findBookingToPay, { params }), refetchOnMount: false });
  return (
    <>
      <Breadcrumbs above={[{ name: "My Orders", to: paths.myOrders() }]} here="Payment" />
      <PageHeading
        title={
          booking.data ? (
            <>
              Payment for <ProductName name={booking.data.bookingProduct.product_name} />
            </>
          ) : (
            "Payment"
          )
        }
      />
      <QueryState query={booking} skeleton={<Spinner />}>
        {(found) => <BookingStatus booking={found} member={member} />}
      </QueryState>
    </>
  );
}

const endedMessages: Record<string, string> = {
  expired: "This hold has expired.",
  cancelled: "This hold was canceled.",
  refunded: "This purchase was refunded.",
};

function BookingStatus({ booking, member }: { booking: BookingToPay; member: Session["user"] }) {
  const [wasHeld] = useState(booking.state === "held");
  if (booking.state === "held") return <PaymentScreen booking={booking} member={member} />;
  if (booking.paid)
    return (
      <div className="rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8">
        <PaymentCompleted
          booking={booking}
          transactionId={booking.transactionId ?? "recorded"}
          justNow={wasHeld}
        />
        <Receipt booking={booking} />
      </div>
    );
  return (
    <Notice title="There's nothing left to pay here">
      <p>{endedMessages[booking.state]} If the laptop is still for sale, you can book it again.</p>
      <ButtonLink to={paths.categoryProducts(booking.bookingProduct.product_categoryId)}>
        Browse this category
      </ButtonLink>
    </Notice>
  );
}
