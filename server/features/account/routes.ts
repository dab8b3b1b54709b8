import type { FastifyRequest } from "fastify";
import * as calls from "#contract/account.ts";
import { unsubscribe as unsubscribeCall } from "#contract/unsubscribe.ts";
import type { Member } from "../../db/member.ts";
import { unsubscribe } from "../../email/opt-outs.ts";
import { answer, ok, type Router } from "../../http/route-registration.ts";
import { deleteUser } from "../members/delete-member.ts";
import { readOwnData } from "./own-data.ts";
import {
  confirmPassword,
  endOtherSessions,
  endSession,
  listSessions,
  readSecondFactors,
} from "./sessions.ts";

export function accountRoutes({ route, deps }: Router): void {
  route(calls.listSessions, async (request) => ok(await listSessions(deps, inSession(request))));

  route(calls.endSession, async (request) =>
    answer.deleted(endSession(deps, inSession(request), request.params.id)),
  );

  route(calls.endOtherSessions, async (request) => {
    const deletedCount = await endOtherSessions(deps, inSession(request));
    return ok({ acknowledged: true as const, deletedCount });
  });

  route(calls.readSecondFactors, async (request) =>
    ok(await readSecondFactors(deps, inSession(request))),
  );

  route(calls.confirmPassword, async (request) => {
    const { password } = request.body;
    await confirmPassword(deps, inSession(request), { password, address: request.request.ip });
    return ok({ acknowledged: true as const });
  });

  route(calls.readOwnData, async (request) => ok(await readOwnData(deps, inSession(request))));

  route(calls.deleteAccount, async ({ caller }) =>
    answer.deleted(deleteUser(deps, caller, caller.id)),
  );

  route(unsubscribeCall, async ({ query }) => answer.acknowledged(unsubscribe(deps, query.token)));
}

function inSession({ caller, request }: { caller: Member; request: FastifyRequest }) {
  return { member: caller, sessionId: request.sessionId };
}
