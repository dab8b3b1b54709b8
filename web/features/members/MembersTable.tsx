import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  deleteUser,
  endMemberSessions,
  listBuyers,
  listSellers,
  toggleSellerStatus,
  toggleSuspension,
  type User,
} from "#contract/members.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { ConfirmCallButton } from "#web/api/CallButton.tsx";
import { useMayAct } from "#web/auth/StaffOnly.tsx";
import { VerifiedIcon } from "#web/domain/sellers/VerifiedIcon.tsx";
import { ActionMenu } from "#web/ui/ActionMenu.tsx";
import { DeleteButton } from "#web/ui/ConfirmButton.tsx";
import type { Column } from "#web/ui/DataTable.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { toast } from "#web/ui/toast.ts";

const memberLists = { Seller: listSellers, Buyer: listBuyers };

const name: Column<User> = {
  header: "Name",
  as: "title",
  cell: ({ name, verify, suspended }) => (
    <span className="inline-flex items-center gap-1.5 font-medium">
      <bdi>{name}</bdi>
      {verify && <VerifiedIcon />}
      {suspended && <span className="rounded-full border px-2 text-xs">Suspended</span>}
    </span>
  ),
};
const email: Column<User> = {
  header: "Email",
  cell: ({ email }) => <EmailText>{email}</EmailText>,
};

type MembersTableProps = {
  kind: "Seller" | "Buyer";
  search: string | undefined;
  /** Shows what was checked about a seller. Passed in, to keep its code off the buyers page. */
  grounds?: (seller: User) => ReactNode;
};

export function MembersTable({ kind, search, grounds }: MembersTableProps) {
  const members = useInfiniteQuery(listOf(memberLists[kind], { query: { search } }));
  const mayDelete = useMayAct("owner");
  const maySuspend = useMayAct("moderation");
  const mayEndSessions = useMayAct("support");
  const verify: Column<User> = {
    header: "Verify",
    cell: (seller) => (
      <>
        <VerifyButton seller={seller} />
        {grounds?.(seller)}
      </>
    ),
  };
  const action: Column<User> = {
    header: "Action",
    cell: (member) => (
      <div className="flex items-center gap-2">
        {mayDelete && <DeleteMember kind={kind} member={member} />}
        {/* The key remounts the menu when a suspension starts or ends, which closes the menu. */}
        <ActionMenu key={String(member.suspended)} of={member.name}>
          {maySuspend && <SuspendMember kind={kind} member={member} />}
          {mayEndSessions && <EndSessions member={member} />}
        </ActionMenu>
      </div>
    ),
  };
  const columns = [name, email, ...(grounds ? [verify] : [])];
  return (
    <QueryTable
      query={members}
      caption={`All ${kind}s`}
      columns={maySuspend || mayEndSessions ? [...columns, action] : columns}
      emptyTitle={`No ${kind.toLowerCase()}${search === undefined ? "s yet" : " found"}`}
      empty={
        search === undefined
          ? "They'll appear here when someone signs up as one."
          : `No name or email starts with “${search}”.`
      }
    />
  );
}

function VerifyButton({ seller }: { seller: User }) {
  const { _id, name, email, verify, verification } = seller;
  const { emailConfirmedAt, identityCheckedAt } = verification;
  const mayVerify = useMayAct("moderation");
  if (!mayVerify) return verify ? "Verified" : "Not verified";
  return (
    <ConfirmCallButton
      look={verify ? "plain" : "primary"}
      label={verify ? `Verified: ${name}` : `Verify ${name}`}
      title={verify ? `Remove ${name}'s badge?` : `Verify ${name}?`}
      message={
        verify
          ? "It disappears from all their laptops. You can verify them again later."
          : "All their laptops get the badge “Verified seller”. You can remove it later."
      }
      note={`Their email address is ${emailConfirmedAt ? "" : "not "}confirmed, and their identity ${identityCheckedAt ? "was" : "wasn't"} checked by Stripe.`}
      confirm={verify ? "Remove badge" : "Verify"}
      call={toggleSellerStatus}
      request={{ body: { id: _id, email, verify } }}
    >
      {verify ? "Verified" : "Verify"}
    </ConfirmCallButton>
  );
}

type ActionProps = { kind: "Seller" | "Buyer"; member: User };

function DeleteMember({ kind, member }: ActionProps) {
  const remove = useCall(deleteUser, { success: `${kind} ${member.name} deleted successfully` });
  return (
    <DeleteButton
      name={member.name}
      busy={remove.isPending}
      onDelete={(done) => remove.mutate({ params: { id: member._id } }, { onSettled: done })}
    />
  );
}

function SuspendMember({ kind, member: { _id, name, suspended } }: ActionProps) {
  const verb = suspended ? "Restore" : "Suspend";
  return (
    <ConfirmCallButton
      label={`${verb} ${name}`}
      title={`${verb} ${name}?`}
      message={
        suspended
          ? "They can log in again, and their listings reappear."
          : "They are signed out and can't log in. Their unpaid holds end and their listings are hidden. You can restore them later."
      }
      call={toggleSuspension}
      request={{ body: { id: _id, suspended } }}
      onSuccess={(answer) =>
        toast.success(`${kind} ${name} ${answer.suspended ? "suspended" : "restored"}`)
      }
    >
      {verb}
    </ConfirmCallButton>
  );
}

function EndSessions({ member: { _id, name } }: Pick<ActionProps, "member">) {
  return (
    <ConfirmCallButton
      label={`End sessions of ${name}`}
      title={`Sign ${name} out everywhere?`}
      message="All their sessions end immediately. They can log in again."
      call={endMemberSessions}
      request={{ params: { id: _id } }}
      success={`${name} has been signed out everywhere`}
    >
      End sessions
    </ConfirmCallButton>
  );
}
