import { isBuyer } from "#contract/roles.ts";
import { useSession } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

type ActionProps = {
  /** The id of the element with the product's name. */
  nameId: string;
  /** Whether the signed-in seller listed it. */
  own: boolean;
  onPress: () => void;
};

type BookAndReportProps = Omit<ActionProps, "onPress"> & {
  onBook: () => void;
  onReport: () => void;
};

/** The book and report buttons, for buyers only. Visitors are sent to log in first. */
export function BookAndReport({ onBook, onReport, ...product }: BookAndReportProps) {
  return (
    <>
      <ReportButton {...product} onPress={onReport} />
      <BookButton {...product} onPress={onBook} />
    </>
  );
}

export function ReportButton({ nameId, own, onPress }: ActionProps) {
  const why = useWhyDisabled(own);
  return (
    <Button
      look="quiet"
      onClick={onPress}
      disabled={why !== ""}
      aria-describedby={`${nameId} ${nameId}-why`}
    >
      <Icon name="flag" className="size-4" />
      Report
    </Button>
  );
}

/** Also explains why the signed-in member can't book. */
export function BookButton({ nameId, own, onPress }: ActionProps) {
  const why = useWhyDisabled(own);
  return (
    <>
      <Button onClick={onPress} disabled={why !== ""} aria-describedby={`${nameId} ${nameId}-why`}>
        Book Now
      </Button>
      {why && <p id={`${nameId}-why`}>{why}</p>}
    </>
  );
}

/** Whether the caller is a buyer, or a visitor who can become one. */
export function useMayBuy(): boolean {
  const session = useSession();
  return !session || isBuyer(session);
}

/** Empty if the caller may book and report. */
function useWhyDisabled(own: boolean): string {
  const session = useSession();
  const mayBuy = useMayBuy();
  if (own) return "This is your listing. Only buyers can book or report it.";
  if (mayBuy) return "";
  const role = session?.isAdmin ? "an admin" : "a seller";
  return `You're signed in as ${role}. Only buyers can book or report.`;
}
