import * as calls from "#contract/members.ts";
import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";
import { callerOf } from "../../http/browser-id.ts";
import { answer, created, listed, ok, type Router } from "../../http/route-registration.ts";
import { confirmAddress, resendConfirmation } from "./confirmation.ts";
import { deleteUser } from "./delete-member.ts";
import { joinAsMember, upsertMember } from "./join-as-member.ts";
import * as members from "./members.ts";
import { addRole, updateProfile } from "./profile.ts";
import { endMemberSessions, toggleSuspension } from "./suspension.ts";
import { noteVerification, toggleSellerStatus } from "./verify-seller.ts";

export function memberRoutes({ route, deps, tokens }: Router): void {
  route(calls.issueToken, async ({ query, caller }) => {
    const member = await members.findMemberOf(deps, caller, query.email);
    return ok({
      accessToken: await tokens.issue({ memberId: member.id, sessionId: caller.sessionId }),
    });
  });

  route(calls.joinAsMember, async ({ body, caller, request }) => {
    const joining = { ...body, ...callerOf(request) };
    return answer.insertedOnce(joinAsMember(deps, caller, joining));
  });

  route(calls.upsertMember, async ({ body, caller, request }) => {
    const joining = { ...body, ...callerOf(request) };
    return ok({
      acknowledged: true as const,
      ...(await upsertMember(deps, caller, joining)),
    });
  });

  route(calls.updateProfile, async ({ body, caller }) =>
    ok({ acknowledged: true as const, ...(await updateProfile(deps, caller, body)) }),
  );

  route(calls.readConfirmation, async ({ caller }) =>
    ok({ confirmed: caller.confirmed, required: deps.config.confirmAddresses }),
  );

  route(calls.resendConfirmation, async ({ caller }) => {
    await resendConfirmation(deps, caller);
    return created({ acknowledged: true as const });
  });

  route(calls.confirmAddress, async ({ body }) =>
    ok({ acknowledged: true as const, ...(await confirmAddress(deps, body.token)) }),
  );

  route(calls.isAdmin, async ({ params, caller }) => {
    const { isAdmin } = await memberAt(params.email, caller);
    return ok({ isAdmin });
  });

  route(calls.isSeller, async ({ params, caller }) => {
    const { isSeller, verify, alsoBuys } = await memberAt(params.email, caller);
    return ok({ isSeller, verify, alsoBuys });
  });

  route(calls.addRole, async ({ body, caller }) =>
    answer.acknowledged(addRole(deps, caller, body.role)),
  );

  route(calls.listBuyers, async ({ query: { search, ...paging }, tx }) =>
    listed(await members.listMembers(tx, { accountType: "buyer", search }, paging)),
  );
  route(calls.listSellers, async ({ query: { search, ...paging }, tx }) =>
    listed(await members.listMembers(tx, { accountType: "seller", search }, paging)),
  );

  route(calls.toggleSellerStatus, async ({ body, caller }) => {
    const { verify } = await toggleSellerStatus(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const, verify });
  });

  route(calls.noteVerification, async ({ body, caller }) =>
    answer.acknowledged(noteVerification(deps, caller, body)),
  );

  route(calls.toggleSuspension, async ({ body, caller }) => {
    const { suspended } = await toggleSuspension(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const, suspended });
  });

  route(calls.endMemberSessions, async ({ params, caller }) => {
    const deletedCount = await endMemberSessions(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount });
  });

  route(calls.deleteUser, async ({ params, caller }) =>
    answer.deleted(deleteUser(deps, caller, params.id)),
  );

  async function memberAt(email: string, caller: Member): Promise<Member> {
    if (email === caller.email) return caller;
    const member = await members.findMemberByEmail(deps.db, email);
    if (!member) throw new AppError("NOT_FOUND", "There is no member with that address.");
    return member;
  }
}
