import * as calls from "#contract/invites.ts";
import { created, type Router } from "../../http/route-registration.ts";
import { inviteFriend } from "./invites.ts";

export function inviteRoutes({ route, deps }: Router): void {
  route(calls.inviteFriend, async ({ body, caller }) => {
    await inviteFriend(deps, caller, body.email);
    return created({ acknowledged: true as const });
  });
}
