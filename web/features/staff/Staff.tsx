import { useQuery } from "@tanstack/react-query";
import type { StaffRole } from "#contract/roles.ts";
import {
  changeStaffRole,
  inviteStaff,
  listStaff,
  removeStaff,
  revokeStaffInvitation,
  type StaffInvitation,
  type StaffMember,
  staffInvitationDays,
  staffInvitationForm,
  staffRoles,
} from "#contract/staff.ts";
import { queryOf } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { useSession } from "#web/auth/session.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

export default function Staff() {
  const found = useQuery(queryOf(listStaff, {}));
  return (
    <QueryState query={found} skeleton={<div className="skeleton h-96" />}>
      {({ staff, invitations }) => (
        <div className="flex flex-col gap-10">
          <StaffTable staff={staff} />
          <div className="flex flex-col gap-8">
            <section>
              <h2 className="mb-4 text-heading">Invite somebody</h2>
              <InviteStaff />
              <StaffInvitations invitations={invitations} />
            </section>
            <section>
              <h2 className="mb-4 text-heading">Roles</h2>
              <dl className="flex max-w-prose flex-col gap-3">
                {staffRoles.map((role) => (
                  <div key={role}>
                    <dt className="font-medium">{roleNames[role]}</dt>
                    <dd className="text-muted">{roleTexts[role]}</dd>
                  </div>
                ))}
              </dl>
            </section>
          </div>
        </div>
      )}
    </QueryState>
  );
}

function InviteStaff() {
  const form = useZodForm(staffInvitationForm, { email: "", role: "support" as StaffRole });
  const invite = useConfirmedCall(inviteStaff, {
    onError: (error) => showFormError(form, error),
    onSuccess: (_, { body }) => {
      toast.success(`Invitation sent to ${body.email}`);
      form.reset();
    },
  });
  return (
    <>
      <Form
        form={form}
        onSubmit={(body) => invite.mutate({ body })}
        className="flex max-w-md flex-col gap-2"
      >
        <FormField
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          hint={`They get a link that works once, within ${staffInvitationDays} days.`}
        />
        <FormField
          form={form}
          name="role"
          label="Role"
          as="select"
          options={roleOptions}
          hint={roleTexts[form.watch("role")]}
        />
        <FormSubmit form={form} busy={invite.isPending}>
          Send invitation
        </FormSubmit>
      </Form>
      {invite.confirmation}
    </>
  );
}

function StaffInvitations({ invitations }: { invitations: StaffInvitation[] }) {
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
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <EmailText>{email}</EmailText>
        <p className="text-muted text-sm">
          {roleNames[role]}, until {formatDateTime(expiresAt)}
        </p>
      </div>
      <CallButton
        aria-label={`Take back the invitation to ${email}`}
        call={revokeStaffInvitation}
        request={{ params: { id } }}
        success={`The invitation to ${email} was taken back`}
      >
        Take back
      </CallButton>
    </li>
  );
}

const roleNames: Record<StaffRole, string> = {
  owner: "Owner",
  moderation: "Moderation",
  support: "Support",
  finance: "Finance",
};

/** All roles may also open Needs You, Overview and the member lists. */
const roleTexts: Record<StaffRole, string> = {
  owner:
    "Everything: also the shop's settings, the staff, Health, the audit log and deleting members.",
  moderation:
    "Reports, listings and invitations to check. Takes listings down, and verifies and suspends members.",
  support: "Complaints and returns, with the records and messages of deals. Signs members out.",
  finance: "Payments, refunds, payouts, disputes and the ledger, with the records of deals.",
};

const roleOptions = staffRoles.map((value) => ({ value, label: roleNames[value] }));

const columns: Column<StaffMember>[] = [
  {
    header: "Name",
    as: "title",
    cell: ({ name }) => (
      <span className="font-medium">
        <bdi>{name}</bdi>
      </span>
    ),
  },
  { header: "Email", cell: ({ email }) => <EmailText>{email}</EmailText> },
  { header: "Role", cell: ({ role }) => roleNames[role] },
  { header: "Since", cell: ({ since }) => (since ? <DateTime at={since} /> : "Not recorded") },
];

function StaffTable({ staff }: { staff: StaffMember[] }) {
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
  return <DataTable caption="Staff" columns={[...columns, action]} rows={staff} />;
}

function Actions({ admin }: { admin: StaffMember }) {
  const { _id: id, name, email } = admin;
  const isSelf = useSession()?.user.email === email;
  const remove = useConfirmedCall(removeStaff, { success: `${name} is no longer on the staff` });
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton
        aria-label={`Change the role of ${name}`}
        dialog={(onClose) => <ChangeRole admin={admin} onClose={onClose} />}
      >
        Change role
      </DialogButton>
      <ConfirmButton
        label={`Remove ${name}`}
        title={`Remove ${isSelf ? "yourself" : name} from the staff?`}
        message={`${isSelf ? "You lose" : "They lose"} access at once, and ${isSelf ? "are" : "become"} an ordinary member.`}
        busy={remove.isPending}
        onConfirm={(done) => {
          remove.mutate({ params: { id } });
          done();
        }}
      >
        Remove
      </ConfirmButton>
      {remove.confirmation}
    </div>
  );
}

type ChangeRoleProps = { admin: StaffMember; onClose: () => void };

const schema = staffInvitationForm.pick({ role: true });

function ChangeRole({ admin: { _id: id, name, role }, onClose }: ChangeRoleProps) {
  const form = useZodForm(schema, { role });
  const change = useConfirmedCall(changeStaffRole, {
    onError: (error) => showFormError(form, error),
    onSuccess: (_, { body }) => {
      toast.success(`${name} now has the role ${roleNames[body.role]}`);
      onClose();
    },
  });
  return (
    <>
      <Dialog title={`Role of ${name}`} onClose={onClose}>
        <Form form={form} onSubmit={(body) => change.mutate({ params: { id }, body })}>
          <FormField
            form={form}
            name="role"
            label="Role"
            as="select"
            options={roleOptions}
            hint={roleTexts[form.watch("role")]}
          />
          <FormSubmit form={form} busy={change.isPending}>
            Save
          </FormSubmit>
        </Form>
      </Dialog>
      {change.confirmation}
    </>
  );
}
