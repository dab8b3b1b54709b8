import { lazy } from "react";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";

const ReportReviewForm = lazy(() => import("./ReportReviewForm.tsx"));

export function ReportReview({ id }: { id: string }) {
  return (
    <DialogButton look="quiet" dialog={(onClose) => <ReportReviewForm id={id} onClose={onClose} />}>
      <Icon name="flag" className="size-4" />
      Report
    </DialogButton>
  );
}
