import { useIsFetching } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Navigate, useLocation, useNavigation } from "react-router";
import type { Product } from "#contract/products.ts";
import { isBuyer } from "#contract/roles.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import type { DialogName } from "./product-dialogs.tsx";

type ProductDialogProps = {
  dialog: DialogName;
  product: Product;
  withoutDialog: string;
  onClose: () => void;
  onBooked: () => void;
};

/** Opens only for buyers. Visitors are sent to log in first. */
export default function ProductDialog(props: ProductDialogProps) {
  const { dialog, product, withoutDialog, onClose, onBooked } = props;
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session === null) return <Navigate to={paths.login(`${pathname}${search}${hash}`)} replace />;
  if (session === undefined) return null;
  if (!isBuyer(session)) return <Navigate to={withoutDialog} replace />;
  const shared = { product, member: session.user, onClose };
  return (
    <Suspense fallback={null}>
      {dialog === "book" ? (
        <BookProductForm
          {...shared}
          onBooked={onBooked}
          discount={<FriendOffer price={product.resale_price} />}
        />
      ) : (
        <ReportProductForm {...shared} />
      )}
    </Suspense>
  );
}

const FriendOffer = lazy(() => import("#web/features/invitations/FriendOffer.tsx"));

const BookProductForm = lazy(() => import("#web/features/bookings/BookProductForm.tsx"));

const ReportProductForm = lazy(() => import("#web/features/reports/ReportProductForm.tsx"));

type UnavailableSelectionProps = { isGone: boolean; withoutDialog: string };

/** For a chosen laptop that isn't on the page, for example after login. */
export function UnavailableSelection({ isGone, withoutDialog }: UnavailableSelectionProps) {
  const isReading = useIsFetching() > 0;
  const { state } = useNavigation();
  if (!isGone)
    return (
      <p role="status" className="mb-6 rounded-field bg-secondary px-4 py-3 text-secondary-content">
        The laptop you chose isn't shown here. It may have been booked, or it may be further down
        the list.
      </p>
    );
  // Waits until the list is up to date.
  if (state !== "idle" || isReading) return null;
  return <Navigate to={withoutDialog} replace state={{ gone: true }} />;
}
