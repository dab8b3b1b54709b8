import { readNeedsYou } from "#contract/needs-you.ts";
import { mayAct } from "#contract/roles.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { countFirstSteps } from "../shop-settings/first-steps.ts";
import { countQueues, emptyQueues, listNeedsYou } from "./list-needs-you.ts";

export function needsYouRoutes({ route, deps }: Router): void {
  route(readNeedsYou, async ({ caller: { staffRole: role }, tx }) => {
    const items = await listNeedsYou({ ...deps, db: tx, role });
    const isOwner = mayAct(role, "owner");
    const queues = mayAct(role, "moderation") ? await countQueues(tx) : emptyQueues;
    const health = isOwner ? await deps.metrics.health() : undefined;
    const problems = health?.problems.length ?? 0;
    const firstSteps = isOwner ? await countFirstSteps(tx, deps) : 0;
    return ok({ items, queues: { ...queues, problems, firstSteps } });
  });
}
