import { Link } from "react-router";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

/** Compares a laptop with those last compared in this tab, which the compare page adds. */
export function CompareLink({ id }: { id: string }) {
  return (
    <Link to={`/compare?ids=${id}&add=`} rel="nofollow" className={buttonClass({ look: "quiet" })}>
      <Icon name="arrow-left-right" className="size-4" />
      Compare
    </Link>
  );
}
