import { useQuery } from "@tanstack/react-query";
import { formatRoles } from "#contract/format-roles.ts";
import { listOwners } from "#contract/staff.ts";
import { queryOf } from "#web/api/api.ts";
import type { NeedsRole } from "#web/auth/guard.ts";
import { useSession } from "#web/auth/session.ts";
import { dashboardPath, paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { AddRole, addedRole } from "./AddRole.tsx";

export default function WrongRole({ role }: { role: NeedsRole["needs"] }) {
  const session = useSession();
  const staffRole = session?.staffRole ?? null;
  const whose = role === "seller" ? "sellers" : formatRoles(staffRole, role);
  return (
    <div className="flex flex-col items-center gap-6 py-12 text-center">
      <h1 className="text-title">This page is for {whose}</h1>
      <p className="max-w-prose text-muted">
        You're signed in{session ? ` as ${session.user.email}` : ""}, but only {whose} can open this
        page.
        {staffRole !== null && role !== "seller" && <AskOwner />}
      </p>
      {role === "seller" && session && staffRole === null && (
        <div className="flex max-w-prose flex-col items-center gap-4">
          <p>Do you want to sell laptops too? {addedRole.seller}</p>
          <AddRole adds="seller" onAdded={() => location.reload()} />
        </div>
      )}
      <ButtonLink to={session ? dashboardPath(session) : paths.home()} look="plain">
        Go to your dashboard
      </ButtonLink>
    </div>
  );
}

/** Names an owner, because owners can give the member another role. */
function AskOwner() {
  const { data } = useQuery(queryOf(listOwners, {}));
  const [first, second] = data ?? [];
  return ` Ask ${first ?? "an owner"}${second ? " or another owner" : ""} if you need it.`;
}
