import { useInfiniteQuery } from "@tanstack/react-query";
import { invitationReasons, type NoDiscount } from "#contract/invitation-rules.ts";
import {
  decideInvitation,
  listSuspectInvitations,
  type SuspectInvitation,
} from "#contract/invitations.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import type { Column } from "#web/ui/DataTable.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { toast } from "#web/ui/toast.ts";

const columns: Column<SuspectInvitation>[] = [
  { header: "Inviter", as: "title", cell: ({ inviter }) => <Party {...inviter} /> },
  { header: "Friend", cell: ({ friend }) => <Party {...friend} /> },
  { header: "Reason", cell: (invitation) => <Reason {...invitation} /> },
  { header: "Joined", cell: ({ joinedAt }) => formatDate(joinedAt) },
  { header: "Action", cell: (invitation) => <Decide invitation={invitation} /> },
];

function Reason({ reason, purchase, missed, reward }: SuspectInvitation) {
  return (
    <>
      <p>{invitationReasons[reason] ?? reason}</p>
      {reward !== null && (
        <p className="mt-1">{`If you approve, ${formatPrice(reward)} of credit is given.`}</p>
      )}
      {purchase && (
        <p className="mt-1">
          {`They got ${formatPrice(purchase.discount)} off a laptop of `}
          <bdi>{purchase.seller.name}</bdi>
          {` (${purchase.seller.email}), who isn't paid until you decide. `}
          {purchase.sellerIsKnown
            ? "The seller shares a card, browser, mailbox or email domain with the friend or the inviter: if you refuse, they don't get the discount."
            : "The seller gets the full price either way."}
        </p>
      )}
      {missed && <p className="mt-1">{missedText(missed)}</p>}
    </>
  );
}

/** Explains what an approval still grants if the friend has already bought a laptop. */
function missedText(missed: NonNullable<SuspectInvitation["missed"]>): string {
  const bought = `They bought a laptop for ${formatPrice(missed.price)} while this waited, without the discount.`;
  if (missed.noDiscount !== null)
    return `${bought} Approving gives nothing for it: ${limits[missed.noDiscount]} used all discounts of the last 30 days.`;
  const budget = missed.overBudget
    ? " It's over what the shop gives for invitations in 30 days: if it still is then, you're asked again."
    : "";
  return `${bought} If you approve, they get ${formatPrice(missed.friendCredit)} as credit and the inviter ${formatPrice(missed.inviterCredit)}, once the time for complaints is over.${budget}`;
}

const limits: Record<NoDiscount, string> = {
  inviter: "the inviter's friends have",
  seller: "the seller's buyers have",
  budget: "the shop has",
};

function Party({ name, email }: SuspectInvitation["friend"]) {
  return (
    <>
      <bdi>{name}</bdi>
      <p className="break-all text-muted text-sm">{email}</p>
    </>
  );
}

export function SuspectInvitations() {
  const found = useInfiniteQuery(listOf(listSuspectInvitations, {}));
  return (
    <QueryTable
      query={found}
      caption="Invitations to Check"
      columns={columns}
      emptyTitle="Nothing to check"
      empty="Invitations that may be between two accounts of one person appear here, and rewards that are over the shop's budget."
    />
  );
}

function Decide({ invitation }: { invitation: SuspectInvitation }) {
  const { _id: id, inviter, friend, reward } = invitation;
  const what = reward === null ? "invitation" : "reward";
  const decide = useCall(decideInvitation, {
    onSuccess: (_, { body }) =>
      toast.success(`The ${what} ${body.approve ? "counts" : "doesn't count"}.`),
  });
  const choose = (approve: boolean, done?: () => void) =>
    decide.mutate({ params: { id }, body: { approve } }, { onSettled: () => done?.() });
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" busy={decide.isPending} onClick={() => choose(true)}>
        Approve <span className="sr-only">{friend.name}</span>
      </Button>
      <ConfirmButton
        label={`Refuse ${friend.name}`}
        title={`Refuse this ${what}?`}
        message={`${inviter.name} gets nothing for inviting ${friend.name}, now or later. You can't take this back.`}
        busy={decide.isPending}
        onConfirm={(done) => choose(false, done)}
      >
        Refuse
      </ConfirmButton>
    </div>
  );
}
