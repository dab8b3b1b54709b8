import { revokeStaffInvitation, type StaffInvitation } from "#contract/staff.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { formatDate } from "#web/ui/format.ts";
import { toast } from "#web/ui/toast.ts";
import { roleNames } from "./role-texts.ts";

export function StaffInvitations({ invitations }: { invitations: StaffInvitation[] }) {
  if (invitations.length === 0) return null;
  return (
    <>
      <h3 className="mt-8 font-medium">Open invitations</h3>
      <ul className="max-w-md divide-y divide-line">
        {invitations.map((invitation) => (
          <Invitation key={invitation._id} {...invitation} />
        ))}
      </ul>
    </>
  );
}

function Invitation({ _id: id, email, role, expiresAt }: StaffInvitation) {
  const revoke = useCall(revokeStaffInvitation, {
    onSuccess: () => toast.success(`The invitation to ${email} was taken back`),
  });
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <EmailText>{email}</EmailText>
        <p className="text-muted text-sm">
          {roleNames[role]}, until {formatDate(expiresAt)}
        </p>
      </div>
      <Button
        look="plain"
        size="small"
        aria-label={`Take back the invitation to ${email}`}
        busy={revoke.isPending}
        onClick={() => revoke.mutate({ params: { id } })}
      >
        Take back
      </Button>
    </li>
  );
}
