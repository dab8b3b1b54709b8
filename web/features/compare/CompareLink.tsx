import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

/** A link that adds the laptop to this tab's last comparison. */
export function CompareLink({ id }: { id: string }) {
  return (
    <Link
      to={`${paths.compare()}?ids=${id}&add=`}
      rel="nofollow"
      className={buttonClass({ look: "quiet" })}
    >
      <Icon name="arrow-left-right" className="size-4" />
      Compare
    </Link>
  );
}
