import * as calls from "#contract/invites.ts";
import { created, type Feature } from "../../http/route-registration.ts";
import { inviteFriend } from "./invites.ts";

export function inviteRoutes({ serve, deps }: Feature): void {
  serve(calls.inviteFriend, async ({ body, caller }) => {
    await inviteFriend(deps, caller, body.email);
    return created({ acknowledged: true as const });
  });
}
