import { lazy, Suspense, useState } from "react";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

const ReportReviewForm = lazy(() => import("./ReportReviewForm.tsx"));

export function ReportReview({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setOpen(true)}>
        <Icon name="flag" className="size-4" />
        Report
      </Button>
      {isOpen && (
        <Suspense>
          <ReportReviewForm id={id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
