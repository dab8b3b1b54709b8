import type { FastifyRequest } from "fastify";
import * as calls from "#contract/account.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { deleteUser } from "../members/deletion.ts";
import type { Member } from "../members/members.ts";
import { confirmPassword, requireFreshSession } from "./fresh-session.ts";
import { readOwnData } from "./own-data.ts";
import { readSecondFactors } from "./second-factors.ts";
import * as sessions from "./sessions.ts";

export function accountRoutes({ route, deps }: Router): void {
  route(calls.listSessions, async (asked) =>
    ok(await sessions.listSessions(deps.db, inSession(asked))),
  );

  route(calls.endSession, async (asked) => {
    await requireFreshSession(deps, inSession(asked));
    await sessions.endSession(deps, inSession(asked), asked.params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });

  route(calls.endOtherSessions, async (asked) => {
    await requireFreshSession(deps, inSession(asked));
    const deletedCount = await sessions.endOtherSessions(deps, inSession(asked));
    return ok({ acknowledged: true as const, deletedCount });
  });

  route(calls.readSecondFactors, async (asked) =>
    ok(await readSecondFactors(deps, inSession(asked))),
  );

  route(calls.confirmPassword, async (asked) => {
    const { password } = asked.body;
    await confirmPassword(deps, inSession(asked), { password, address: asked.request.ip });
    return ok({ acknowledged: true as const });
  });

  route(calls.readOwnData, async (asked) => ok(await readOwnData(deps, inSession(asked))));

  route(calls.deleteAccount, async (asked) => {
    const { caller } = asked;
    await requireFreshSession(deps, inSession(asked));
    await deleteUser(deps, caller, caller.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}

function inSession({ caller, request }: { caller: Member; request: FastifyRequest }) {
  return { member: caller, sessionId: request.sessionId };
}
