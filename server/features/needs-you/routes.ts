import { readNeedsYou } from "#contract/needs-you.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { countQueues } from "./count-queues.ts";
import { listNeedsYou } from "./list-needs-you.ts";

export function needsYouRoutes({ route, deps }: Router): void {
  route(readNeedsYou, async ({ tx }) => {
    const items = await listNeedsYou({ ...deps, db: tx });
    const health = await deps.metrics.health();
    const problems = health?.problems.length ?? 0;
    return ok({ items, queues: { ...(await countQueues(tx)), problems } });
  });
}
