import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { confirmAddressOf } from "../server/features/members/confirmation.ts";
import { inviteFriend } from "../server/features/rewards/invite-friend.ts";
import { joinByLink } from "../server/features/rewards/join-by-invitation.ts";
import { ago, depsAt } from "./backdate.ts";
import type { DemoMembers } from "./types.ts";

export async function invite(deps: Deps, { buyers: { nora, oskar } }: DemoMembers): Promise<void> {
  if (!nora || !oskar) throw new Error("The demo's buyers are missing.");
  if (await hasInvited(deps, nora)) return;
  const joinedAt = ago(deps, { hours: 16 * 24 });
  await deps.db.transaction().execute(async (tx) => {
    await confirmAddressOf(tx, oskar.id, joinedAt);
    await joinByLink(tx, { friend: oskar, inviterId: nora.id, at: joinedAt });
  });
  await inviteFriend(depsAt(deps, ago(deps, { hours: 50 })), nora, {
    ...{ email: "tove.friis@example.com", network: "127.0.0.1" },
  });
}

async function hasInvited({ db }: Deps, { id }: Member): Promise<boolean> {
  const found = await db
    .selectFrom("invitations")
    .select("id")
    .where("inviter_id", "=", id)
    .executeTakeFirst();
  return found !== undefined;
}
