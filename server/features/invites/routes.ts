import * as calls from "#contract/invites.ts";
import { unsubscribe as unsubscribeCall } from "#contract/unsubscribe.ts";
import { created, ok, type Router } from "../../http/route-registration.ts";
import { unsubscribe } from "../email/opt-outs.ts";
import { inviteFriend } from "./invites.ts";

export function inviteRoutes({ route, deps }: Router): void {
  route(calls.inviteFriend, async ({ body, caller }) => {
    await inviteFriend(deps, caller, body.email);
    return created({ acknowledged: true as const });
  });

  route(unsubscribeCall, async ({ query }) => {
    await unsubscribe(deps, query.token);
    return ok({ acknowledged: true as const });
  });
}
