import { listNeedsYou as call } from "#contract/needs-you.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { listNeedsYou } from "./list-needs-you.ts";

export function needsYouRoutes({ route, deps }: Router): void {
  route(call, async ({ tx }) => ok(await listNeedsYou({ ...deps, db: tx })));
}
