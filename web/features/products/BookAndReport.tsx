import { isBuyer } from "#contract/roles.ts";
import { useSession } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

type ActionProps = {
  /** The id of the element with the product's name. */
  nameId: string;
  /** Why the signed-in member can't book or report; empty if they can. */
  why: string;
  onPress: () => void;
};

export function ReportButton(action: ActionProps) {
  return (
    <Button look="quiet" {...buttonProps(action)}>
      <Icon name="flag" className="size-4" />
      Report
    </Button>
  );
}

export function BookButton(action: ActionProps) {
  return <Button {...buttonProps(action)}>Book Now</Button>;
}

function buttonProps({ nameId, why, onPress }: ActionProps) {
  return {
    onClick: onPress,
    disabled: why !== "",
    "aria-describedby": `${nameId} ${nameId}-why`,
  };
}

export function Why({ nameId, why }: Omit<ActionProps, "onPress">) {
  return why && <p id={`${nameId}-why`}>{why}</p>;
}

/** Whether the user is a buyer, or a visitor, who can become a buyer. */
export function useMayBuy(): boolean {
  const session = useSession();
  return !session || isBuyer(session);
}

/** Why Book and Report are disabled; empty if enabled, as for visitors, who must log in first. */
export function useWhyDisabled(own: boolean): string {
  const session = useSession();
  const mayBuy = useMayBuy();
  if (own) return "This is your listing. Only buyers can book or report it.";
  if (mayBuy) return "";
  const role = session?.isAdmin ? "an admin" : "a seller";
  return `You're signed in as ${role}. Only buyers can book or report.`;
}
