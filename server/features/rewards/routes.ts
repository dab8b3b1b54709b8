import * as calls from "#contract/invitations.ts";
import { inviteFriend as inviteCall } from "#contract/invitations.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { callerOf } from "../../http/browser-id.ts";
import { answer, created, listed, ok, type Router } from "../../http/route-registration.ts";
import { hasDiscount } from "./discounts.ts";
import { acceptInvitation } from "./invitation-codes.ts";
import { inviteFriend } from "./invite-friend.ts";
import { listInvitations, readOwnInvitations } from "./list-invitations.ts";
import { decideInvitation, listSuspectInvitations } from "./suspect-invitations.ts";

export function invitationRoutes({ route, deps }: Router): void {
  route(inviteCall, async ({ body, caller, request }) => {
    await inviteFriend(deps, caller, { email: body.email, network: networkOf(request.ip) });
    return created({ acknowledged: true as const });
  });

  route(calls.readOwnInvitations, async ({ caller, request }) =>
    ok(await readOwnInvitations(deps, caller, callerOf(request))),
  );

  route(calls.listInvitations, async ({ caller, query, tx }) =>
    listed(await listInvitations(tx, caller, query)),
  );

  route(calls.acceptInvitation, async ({ body, caller, request }) => {
    const acceptance = { code: body.code, ...callerOf(request) };
    await acceptInvitation(deps, caller, acceptance);
    return created({ acknowledged: true as const });
  });

  route(calls.readInvitationOffer, async ({ caller }) =>
    ok({ hasDiscount: await hasDiscount(deps.db, deps, caller.id) }),
  );

  route(calls.listSuspectInvitations, async ({ query, tx }) =>
    listed(await listSuspectInvitations({ ...deps, db: tx }, query)),
  );

  route(calls.decideInvitation, async ({ params, body, caller }) =>
    answer.modified(decideInvitation(deps, caller, { id: params.id, approve: body.approve })),
  );
}
