import { Link } from "react-router";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { comparePath, lastCompared, mostCompared, rememberCompared } from "./compared-ids.ts";

/**
 * Compares a laptop with the laptops last compared in this tab. Only the newest four are compared.
 */
export function CompareLink({ id }: { id: string }) {
  const others = useHydrated() ? lastCompared().filter((one) => one !== id) : [];
  const ids = [...others, id].slice(-mostCompared);
  return (
    <Link
      to={comparePath(ids)}
      rel="nofollow"
      data-needs-app
      className={buttonClass({ look: "quiet" })}
      onClick={() => rememberCompared(ids)}
    >
      <Icon name="arrow-left-right" className="size-4" />
      Compare
    </Link>
  );
}
