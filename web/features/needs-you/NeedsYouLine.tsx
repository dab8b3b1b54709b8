import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listNeedsYou } from "#contract/needs-you.ts";
import { needsYouPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";

/** The first line of the overview, if something waits for an admin. */
export function NeedsYouLine() {
  const { data = [] } = useQuery(queryOf(listNeedsYou, {}));
  if (data.length === 0) return null;
  return (
    <p className="mb-4 font-medium">
      <Link to={needsYouPath()} className="link">
        {data.length === 1 ? "One thing needs you" : `${data.length} things need you`}
      </Link>
    </p>
  );
}
