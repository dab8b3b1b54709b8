import { readNeedsYou } from "#contract/needs-you.ts";
import { mayAct } from "#contract/roles.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { countQueues, emptyQueues } from "./count-queues.ts";
import { listNeedsYou } from "./list-needs-you.ts";

export function needsYouRoutes({ route, deps }: Router): void {
  route(readNeedsYou, async ({ caller: { staffRole: role }, tx }) => {
    const items = await listNeedsYou({ ...deps, db: tx, role });
    const queues = mayAct(role, "moderation") ? await countQueues(tx) : emptyQueues;
    const health = mayAct(role, "owner") ? await deps.metrics.health() : undefined;
    return ok({ items, queues: { ...queues, problems: health?.problems.length ?? 0 } });
  });
}
