import { useInfiniteQuery } from "@tanstack/react-query";
import {
  decideInvitation,
  listSuspectInvitations,
  type SuspectInvitation,
} from "#contract/invitations.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { formatDate } from "#web/ui/format.ts";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { UserText } from "#web/ui/UserText.tsx";

const reasons: Record<string, string> = {
  card: "The friend paid with a card that another member has paid with.",
  browser: "The friend signed up in a browser that another member has used.",
};

const columns: Column<SuspectInvitation>[] = [
  { header: "Inviter", as: "title", cell: ({ inviter }) => <Party {...inviter} /> },
  { header: "Friend", cell: ({ friend }) => <Party {...friend} /> },
  { header: "Reason", cell: (invitation) => <Reason {...invitation} /> },
  { header: "Joined", cell: ({ joinedAt }) => formatDate(joinedAt) },
  { header: "Action", cell: (invitation) => <Decide invitation={invitation} /> },
];

function Reason({ reason, purchase }: SuspectInvitation) {
  return (
    <>
      <p>{reasons[reason] ?? reason}</p>
      {purchase && (
        <p className="mt-1">
          {`They got ${formatPrice(purchase.discount)} off a laptop of `}
          <UserText>{purchase.seller.name}</UserText>
          {` (${purchase.seller.email}), who isn't paid until you decide`}
          {purchase.decideBy && `, or until ${formatDate(purchase.decideBy)}`}.{" "}
          {purchase.sellerIsKnown
            ? "The seller shares a card, browser or mailbox with the friend or the inviter: if you refuse, they don't get the discount."
            : "The seller gets the full price either way."}
        </p>
      )}
    </>
  );
}

function Party({ name, email }: SuspectInvitation["friend"]) {
  return (
    <>
      <UserText>{name}</UserText>
      <p className="break-all text-muted text-sm">{email}</p>
    </>
  );
}

/** Invitations that may be of two accounts of one person, for admins. */
export function SuspectInvitations() {
  const found = useInfiniteQuery(listOf(listSuspectInvitations, {}));
  return (
    <QueryState
      query={found}
      skeleton={<TableSkeleton columns={columns} />}
      empty={
        <Notice title="Nothing to check" drawing={<EmptyIllustration />}>
          Invitations that may be between two accounts of one person appear here.
        </Notice>
      }
    >
      {(rows) => (
        <DataTable
          caption="Invitations to check"
          columns={columns}
          rows={rows}
          keyOf={({ _id }) => _id}
        />
      )}
    </QueryState>
  );
}

function Decide({ invitation: { _id: id, friend } }: { invitation: SuspectInvitation }) {
  const decide = useCall(decideInvitation, {
    onSuccess: (_, { body }) =>
      toast.success(body.approve ? "The invitation counts." : "The invitation doesn't count."),
  });
  const choose = (approve: boolean) => decide.mutate({ params: { id }, body: { approve } });
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="plain" busy={decide.isPending} onClick={() => choose(true)}>
        Approve <span className="sr-only">{friend.name}</span>
      </Button>
      <Button look="plain" busy={decide.isPending} onClick={() => choose(false)}>
        Refuse <span className="sr-only">{friend.name}</span>
      </Button>
    </div>
  );
}
