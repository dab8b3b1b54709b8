import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

type PaymentCompletedProps = {
  transactionId: string;
  /**
   * Whether the member has just paid. The message then gets the focus, because the Pay button is
   * gone.
   */
  justNow: boolean;
};

/** Shown after a completed payment (specification 4, Payment). */
export function PaymentCompleted({ transactionId, justNow }: PaymentCompletedProps) {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <Icon name="circle-check" className="size-10 text-success" />
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

/** Shown if the card was charged but recording the payment failed. */
export function PaymentNotRecorded({ message }: { message: string }) {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <Icon name="clock" className="size-10 text-muted" />
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
