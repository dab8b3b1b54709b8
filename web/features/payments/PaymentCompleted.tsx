import { CircleCheck, Clock } from "lucide-react";
import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";

type PaymentCompletedProps = {
  transactionId: string;
  /** Paid just now, by a button that is gone: the focus goes to what came of it. */
  justNow: boolean;
};

/** What a completed payment shows (specification 4, Payment). */
export function PaymentCompleted({ transactionId, justNow }: PaymentCompletedProps) {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <CircleCheck className="size-10 text-success" aria-hidden="true" />
      <p
        ref={justNow ? takeFocus : undefined}
        tabIndex={-1}
        className="font-display font-semibold text-heading text-success"
      >
        Congrats! your payment completed
      </p>
      <p>
        Your transaction id: <strong className="break-all">{transactionId}</strong>
      </p>
      <Link to={paths.myOrders()} className={`${buttonClass({ look: "plain" })} mt-2`}>
        Back to My Orders
      </Link>
    </div>
  );
}

/** What is shown in the place of the form when the card was charged and we could not record it. */
export function PaymentNotRecorded({ message }: { message: string }) {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <Clock className="size-10 text-muted" aria-hidden="true" />
      <p ref={takeFocus} tabIndex={-1}>
        {message}
      </p>
      <Link to={paths.myOrders()} className={`${buttonClass({ look: "plain" })} mt-2`}>
        Back to My Orders
      </Link>
    </div>
  );
}

function takeFocus(heading: HTMLElement | null): void {
  heading?.focus();
}
