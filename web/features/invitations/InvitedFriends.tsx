import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useId } from "react";
import {
  acceptInvitation,
  type Invitation,
  inviteFriend,
  listInvitations,
} from "#contract/invitations.ts";
import type { ShownInvitationState } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";

const columns: Column<Invitation>[] = [
  { header: "Friend", as: "title", cell: ({ shownAs }) => shownAs || "Joined by your link" },
  { header: "Invited", cell: ({ invitedAt }) => <DateTime at={invitedAt} /> },
  { header: "Status", cell: ({ state }) => statuses[state] },
  { header: "Earned", cell: ({ earned }) => formatPrice(earned) },
];

const statuses: Record<ShownInvitationState, string> = {
  sent: "Invited",
  expired: "Not accepted in time",
  joined: "Joined",
  completed: "Bought a laptop",
};

export function InvitedFriends({ email }: { email: string }) {
  const invited = useInfiniteQuery(listOf(listInvitations, {}));
  return (
    <section aria-label="Friends you invited" className="mt-8 flex flex-col gap-4">
      <h2 className="text-heading">Invite by email</h2>
      <InviteForm email={email} />
      <h2 className="mt-4 text-heading">Friends you invited</h2>
      <QueryState
        query={invited}
        skeleton={<TableSkeleton columns={columns} />}
        empty={<p className="text-muted">You haven't invited anyone yet.</p>}
      >
        {(rows) => <DataTable caption="Friends you invited" columns={columns} rows={rows} />}
      </QueryState>
    </section>
  );
}

function InviteForm({ email }: { email: string }) {
  const field = useId();
  const invite = useCall(inviteFriend, {
    onSuccess: (_, { body }) => toast.success(`An invitation is on its way to ${body.email}.`),
    onError: () => {},
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { email: String(new FormData(form).get("email")) };
    invite.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-56 flex-1 flex-col gap-1.5 sm:max-w-sm">
        <label htmlFor={field} className="font-medium text-sm">
          Your friend's email address
        </label>
        <input
          id={field}
          name="email"
          type="email"
          required
          autoComplete="off"
          defaultValue={email}
          className="input w-full border-line bg-base-100"
        />
      </div>
      <Button type="submit" busy={invite.isPending}>
        Invite
      </Button>
      <FormMessage message={invite.error?.message} />
    </form>
  );
}

/** Lets members type a friend's code, for example if they opened the link on another device. */
export function AcceptCode() {
  const field = useId();
  const accept = useCall(acceptInvitation, {
    onSuccess: () => toast.success("Your invitation is accepted."),
    onError: () => {},
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    accept.mutate({ body: { code } });
  };
  return (
    <form onSubmit={submit} className="mt-8 flex flex-wrap items-end gap-3">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={field} className="font-medium text-sm">
          Were you invited? Enter your friend's code
        </label>
        <input
          id={field}
          name="code"
          required
          maxLength={20}
          autoComplete="off"
          className="input border-line bg-base-100 font-mono"
        />
      </div>
      <Button type="submit" look="plain" busy={accept.isPending}>
        Use code
      </Button>
      <FormMessage message={accept.error?.message} />
    </form>
  );
}
