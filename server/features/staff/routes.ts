import * as calls from "#contract/staff.ts";
import { answer, ok, type Router } from "../../http/route-registration.ts";
import { changeStaffRole, listAdmins, listStaff } from "./change-staff-role.ts";
import * as invitations from "./staff-invitations.ts";

export function staffRoutes({ route, deps }: Router): void {
  route(calls.listOwners, async ({ tx }) => {
    const owners = await listAdmins(tx, "owner");
    return ok(owners.map(({ name }) => name));
  });

  route(calls.listStaff, async ({ tx }) => {
    const open = await invitations.listStaffInvitations(tx, deps.clock.now());
    return ok({ staff: await listStaff(tx), invitations: open });
  });

  route(calls.changeStaffRole, async ({ caller, params, body }) =>
    answer.modified(changeStaffRole(deps, caller, { ...params, ...body })),
  );

  route(calls.removeStaff, async ({ caller, params }) =>
    answer.deleted(changeStaffRole(deps, caller, { ...params, role: null })),
  );

  route(calls.inviteStaff, async ({ caller, body }) =>
    answer.inserted(invitations.inviteStaff(deps, caller, body)),
  );

  route(calls.revokeStaffInvitation, async ({ caller, params }) =>
    answer.deleted(invitations.revokeStaffInvitation(deps, caller, params.id)),
  );

  route(calls.acceptStaffInvitation, async ({ caller, body }) =>
    answer.acknowledged(invitations.acceptStaffInvitation(deps, caller, body.token)),
  );
}
