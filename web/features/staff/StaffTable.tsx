import { useState } from "react";
import { removeStaff, type StaffMember } from "#contract/staff.ts";
import { useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { useConfirmIdentity } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { toast } from "#web/ui/toast.ts";
import { UserText } from "#web/ui/UserText.tsx";
import { ChangeRole } from "./ChangeRole.tsx";
import { roleNames } from "./staff-roles.ts";

const columns: Column<StaffMember>[] = [
  {
    header: "Name",
    as: "title",
    cell: ({ name }) => (
      <span className="font-medium">
        <UserText>{name}</UserText>
      </span>
    ),
  },
  { header: "Email", cell: ({ email }) => <EmailText>{email}</EmailText> },
  { header: "Role", cell: ({ role }) => roleNames[role] },
  { header: "Since", cell: ({ since }) => (since ? <DateTime at={since} /> : "Not recorded") },
];

/** The admins. The only owner can't be changed or removed. */
export function StaffTable({ staff }: { staff: StaffMember[] }) {
  const owners = staff.filter(({ role }) => role === "owner");
  const action: Column<StaffMember> = {
    header: "Action",
    cell: (admin) =>
      admin.role === "owner" && owners.length === 1 ? (
        <span className="text-muted">The only owner</span>
      ) : (
        <Actions admin={admin} />
      ),
  };
  return (
    <DataTable
      caption="Staff"
      columns={[...columns, action]}
      rows={staff}
      keyOf={({ _id }) => _id}
    />
  );
}

function Actions({ admin }: { admin: StaffMember }) {
  const { _id: id, name, email } = admin;
  const [isChanging, setChanging] = useState(false);
  const isSelf = useSession()?.user.email === email;
  const confirmIdentity = useConfirmIdentity();
  const again = () => remove.mutate({ params: { id } });
  const remove = useCall(removeStaff, {
    onError: (error) => confirmIdentity.ask(error, again) || toast.error(error.message),
    onSuccess: () => toast.success(`${name} is no longer on the staff`),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="plain"
        size="small"
        aria-label={`Change the role of ${name}`}
        onClick={() => setChanging(true)}
      >
        Change role
      </Button>
      <ConfirmButton
        look="plain"
        label={`Remove ${name}`}
        title={`Remove ${isSelf ? "yourself" : name} from the staff?`}
        message={`${isSelf ? "You lose" : "They lose"} access at once, and ${isSelf ? "are" : "become"} an ordinary member.`}
        confirm="Remove"
        busy={remove.isPending}
        onConfirm={(done) => {
          again();
          done();
        }}
      >
        Remove
      </ConfirmButton>
      {isChanging && <ChangeRole admin={admin} onClose={() => setChanging(false)} />}
      {confirmIdentity.dialog}
    </div>
  );
}
