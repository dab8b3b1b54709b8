import { unsubscribe as unsubscribeCall } from "#contract/unsubscribe.ts";
import { unsubscribe } from "../../email/opt-outs.ts";
import { ok, type Router } from "../../http/route-registration.ts";

export function unsubscribeRoutes({ route, deps }: Router): void {
  route(unsubscribeCall, async ({ query }) => {
    await unsubscribe(deps, query.token);
    return ok({ acknowledged: true as const });
  });
}
