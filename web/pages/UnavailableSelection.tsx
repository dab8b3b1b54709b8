import { useIsFetching } from "@tanstack/react-query";
import { Navigate, useNavigation, useSearchParams } from "react-router";
import { withDialog } from "./dialog-query.ts";

/** For a chosen laptop that isn't on the page, for example after login. */
export default function UnavailableSelection({ isGone }: { isGone: boolean }) {
  if (isGone) return <ClearSelection />;
  return (
    <p role="status" className="mb-6 rounded-field bg-secondary px-4 py-3 text-secondary-content">
      The laptop you chose isn't shown here. It may have been booked, or it may be further down the
      list.
    </p>
  );
}

/** Waits until the list is up to date. */
function ClearSelection() {
  const isReading = useIsFetching() > 0;
  const [query] = useSearchParams();
  if (useNavigation().state !== "idle" || isReading) return null;
  return <Navigate to={`?${withDialog(query)}`} replace state={{ gone: true }} />;
}
