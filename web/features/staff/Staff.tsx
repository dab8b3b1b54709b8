import { useQuery } from "@tanstack/react-query";
import { listStaff, staffRoles } from "#contract/staff.ts";
import { queryOf } from "#web/api/api.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { InviteStaff } from "./InviteStaff.tsx";
import { roleNames, roleTexts } from "./role-texts.ts";
import { StaffInvitations } from "./StaffInvitations.tsx";
import { StaffTable } from "./StaffTable.tsx";

export default function Staff() {
  const found = useQuery(queryOf(listStaff, {}));
  return (
    <QueryState query={found} skeleton={<div className="skeleton h-96" />}>
      {({ staff, invitations }) => (
        <div className="flex flex-col gap-10">
          <StaffTable staff={staff} />
          <div className="flex flex-col gap-8">
            <section>
              <h2 className="mb-4 text-heading">Invite somebody</h2>
              <InviteStaff />
              <StaffInvitations invitations={invitations} />
            </section>
            <section>
              <h2 className="mb-4 text-heading">Roles</h2>
              <dl className="flex max-w-prose flex-col gap-3">
                {staffRoles.map((role) => (
                  <div key={role}>
                    <dt className="font-medium">{roleNames[role]}</dt>
                    <dd className="text-muted">{roleTexts[role]}</dd>
                  </div>
                ))}
              </dl>
            </section>
          </div>
        </div>
      )}
    </QueryState>
  );
}
