import { isBuyer } from "#contract/roles.ts";
import { type Session, useSession } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

type BookAndReportProps = {
  /** The id of the element with the product's name. */
  nameId: string;
  /** Whether the signed-in seller listed the laptop. */
  own: boolean;
  /** Opens the booking dialog. Absent if the laptop can no longer be booked. */
  onBook?: () => void;
  onReport: () => void;
};

/** The book and report buttons, for buyers only. Visitors are sent to log in first. */
export function BookAndReport({ nameId, own, onBook, onReport }: BookAndReportProps) {
  const session = useSession();
  const mayBuy = useMayBuy();
  const why = session && (own || !mayBuy) ? whyDisabled(session, own) : undefined;
  const whyId = `${nameId}-why`;
  const shared = {
    disabled: why !== undefined,
    "aria-describedby": why === undefined ? nameId : `${nameId} ${whyId}`,
  };
  return (
    <>
      <Button look="quiet" onClick={onReport} title={why} {...shared}>
        <Icon name="flag" className="size-4" />
        Report
      </Button>
      {onBook && (
        <Button onClick={onBook} title={why} {...shared}>
          Book Now
        </Button>
      )}
      {why && <p id={whyId}>{why}</p>}
    </>
  );
}

/** Whether the caller is a buyer, or a visitor who can become one. */
export function useMayBuy(): boolean {
  const session = useSession();
  return !session || isBuyer(session);
}

function whyDisabled({ isAdmin }: Session, own: boolean): string {
  if (own) return "This is your listing. Only buyers can book or report it.";
  const role = isAdmin ? "an admin" : "a seller";
  return `You're signed in as ${role}. Only buyers can book or report.`;
}
