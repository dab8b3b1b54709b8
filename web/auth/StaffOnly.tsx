import type { ReactNode } from "react";
import { formatRoles } from "#contract/format-roles.ts";
import { mayAct, type StaffAccess } from "#contract/roles.ts";
import { useSession } from "./session.ts";

type StaffOnlyProps = { access: StaffAccess; to: string; children: ReactNode };

/** Members without this access see which roles have it. `to`: the action, such as "decide this". */
export function StaffOnly({ access, to, children }: StaffOnlyProps) {
  const role = useStaffRole();
  if (mayAct(role, access)) return children;
  return <p className="text-muted">{`Only ${formatRoles(role, access)} can ${to}.`}</p>;
}

export function useMayAct(access: StaffAccess): boolean {
  return mayAct(useStaffRole(), access);
}

function useStaffRole() {
  return useSession()?.staffRole ?? null;
}
