import { lazy, Suspense } from "react";
import { Navigate, useLocation } from "react-router";
import type { Product } from "#contract/products.ts";
import { isBuyer } from "#contract/roles.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { type DialogName, withDialog } from "./dialog-query.ts";

type ProductDialogProps = {
  dialog: DialogName;
  product: Product;
  onClose: () => void;
  onBooked: () => void;
};

/** For buyers. Visitors are sent to log in first. */
export default function ProductDialog({ dialog, product, onClose, onBooked }: ProductDialogProps) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session === null) return <Navigate to={paths.login(`${pathname}${search}${hash}`)} replace />;
  if (session === undefined) return null;
  if (!isBuyer(session))
    return <Navigate to={`?${withDialog(new URLSearchParams(search))}`} replace />;
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

const BookProductForm = lazy(async () => ({
  default: (await import("#web/features/bookings/BookProductForm.tsx")).BookProductForm,
}));

const ReportProductForm = lazy(async () => ({
  default: (await import("#web/features/reports/ReportProductForm.tsx")).ReportProductForm,
}));
