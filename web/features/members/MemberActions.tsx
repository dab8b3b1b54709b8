import { endMemberSessions, toggleSuspension, type User } from "#contract/members.ts";
import { useCall } from "#web/api/api.ts";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { toast } from "#web/ui/toast.ts";

type MemberActionProps = { kind: "Seller" | "Buyer"; member: User };

export function SuspendMember({ kind, member: { _id, name, suspended } }: MemberActionProps) {
  const toggle = useCall(toggleSuspension, {
    onSuccess: (answer) =>
      toast.success(`${kind} ${name} ${answer.suspended ? "suspended" : "restored"}`),
  });
  const verb = suspended ? "Restore" : "Suspend";
  return (
    <ConfirmButton
      look="plain"
      label={`${verb} ${name}`}
      title={`${verb} ${name}?`}
      message={
        suspended
          ? "They can log in again, and their listings reappear."
          : "They are signed out and can't log in. Their unpaid holds end and their listings are hidden. You can restore them later."
      }
      confirm={verb}
      busy={toggle.isPending}
      onConfirm={(done) => toggle.mutate({ body: { id: _id, suspended } }, { onSettled: done })}
    >
      {verb}
    </ConfirmButton>
  );
}

export function EndSessions({ member: { _id, name } }: Pick<MemberActionProps, "member">) {
  const end = useCall(endMemberSessions, {
    onSuccess: () => toast.success(`${name} has been signed out everywhere`),
  });
  return (
    <ConfirmButton
      look="plain"
      label={`End sessions of ${name}`}
      title={`Sign ${name} out everywhere?`}
      message="All their sessions end immediately. They can log in again."
      confirm="End sessions"
      busy={end.isPending}
      onConfirm={(done) => end.mutate({ params: { id: _id } }, { onSettled: done })}
    >
      End sessions
    </ConfirmButton>
  );
}
