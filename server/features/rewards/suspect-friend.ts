import { sql } from "kysely";
import { invitationTransitions } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { applyInvitation } from "./invitation-transition.ts";
import { recordTrace, traceHash } from "./member-traces.ts";

type Payment = { buyerId: string; cardFingerprint: string | undefined; at: Date };

/**
 * Stores the card's hash, and rechecks the invitations accepted by the buyer or by others who have
 * paid with this card.
 */
export async function recordCard(
  tx: Tx,
  { buyerId: memberId, cardFingerprint, at }: Payment,
): Promise<void> {
  const card = { kind: "card", value: cardFingerprint ?? "" } as const;
  if (cardFingerprint !== undefined) await recordTrace(tx, card, { memberId, at });
  const invitations = await tx
    .selectFrom("invitations")
    .select("id")
    .where("state", "in", [...invitationTransitions.suspect.from])
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("friend_id", "=", memberId),
        eb(
          "friend_id",
          "in",
          selectFrom("member_traces")
            .select("member_id")
            .where("kind", "=", "card")
            .where("trace_hash", "=", traceHash(card)),
        ),
      ]),
    )
    .orderBy("id")
    .execute();
  for (const { id } of invitations) await suspectFriend(tx, id, at);
}

/**
 * Both members must have used a shared network within this time, because providers reassign IP
 * addresses.
 */
const networkMs = 30 * 24 * 3_600_000;

/** Loopback networks, which all visitors behind a local proxy share. */
const loopback = ["127.0.0.1", "0:0:0:0::/64"];

/**
 * Leaves an unapproved invitation to an admin if the friend shares a card or browser with any other
 * member. A shared network or domain counts only with the inviter, the inviter's other friends or
 * the laptop's seller.
 */
export async function suspectFriend(tx: Tx, id: string, at: Date): Promise<void> {
  const since = new Date(at.getTime() - networkMs);
  const { rows } = await sql<{ kind: string }>`
    select mine.kind from invitations i
    left join bookings b on b.id = i.discount_booking_id
    left join products p on p.id = b.product_id
    join member_traces mine on mine.member_id = i.friend_id
    join member_traces other on (other.kind, other.trace_hash) = (mine.kind, mine.trace_hash)
      and other.member_id <> i.friend_id
    where i.id = ${id} and i.approved_by is null and (
      mine.kind in ('card', 'browser')
      or mine.kind in ('network', 'domain')
        and (other.member_id in (i.inviter_id, p.seller_id)
          or other.member_id in (select friend_id from invitations where inviter_id = i.inviter_id))
        and (mine.kind = 'domain' or least(mine.seen_at, other.seen_at) > ${since}
          and mine.trace_hash not in (${sql.join(loopback.map((value) => traceHash({ kind: "network", value })))})))
    order by array_position(array['card', 'browser', 'domain', 'network'], mine.kind)
    limit 1`.execute(tx);
  const [found] = rows;
  if (found)
    await applyInvitation(tx, {
      id,
      at,
      actor: null,
      transition: "suspect",
      reason: found.kind,
    });
}
