import * as calls from "#contract/staff.ts";
import { created, ok, type Router } from "../../http/route-registration.ts";
import { changeStaffRole, listAdmins, listStaff } from "./change-staff-role.ts";
import * as invitations from "./staff-invitations.ts";

const acknowledged = { acknowledged: true as const };

export function staffRoutes({ route, deps }: Router): void {
  route(calls.listOwners, async ({ tx }) => {
    const owners = await listAdmins(tx, "owner");
    return ok(owners.map(({ name }) => name));
  });

  route(calls.listStaff, async ({ tx }) => {
    const open = await invitations.listStaffInvitations(tx, deps.clock.now());
    return ok({ staff: await listStaff(tx), invitations: open });
  });

  route(calls.changeStaffRole, async ({ caller, params, body }) => {
    await changeStaffRole(deps, caller, { ...params, ...body });
    return ok({ ...acknowledged, modifiedCount: 1 as const });
  });

  route(calls.removeStaff, async ({ caller, params }) => {
    await changeStaffRole(deps, caller, { ...params, role: null });
    return ok({ ...acknowledged, deletedCount: 1 as const });
  });

  route(calls.inviteStaff, async ({ caller, body }) => {
    const insertedId = await invitations.inviteStaff(deps, caller, body);
    return created({ ...acknowledged, insertedId });
  });

  route(calls.revokeStaffInvitation, async ({ caller, params }) => {
    await invitations.revokeStaffInvitation(deps, caller, params.id);
    return ok({ ...acknowledged, deletedCount: 1 as const });
  });

  route(calls.acceptStaffInvitation, async ({ caller, body }) => {
    await invitations.acceptStaffInvitation(deps, caller, body.token);
    return ok(acknowledged);
  });
}
