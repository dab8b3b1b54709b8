import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

/** Adds the laptop to the laptops last compared in this tab. */
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
