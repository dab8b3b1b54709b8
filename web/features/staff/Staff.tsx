import { useQuery } from "@tanstack/react-query";
import type { StaffRole } from "#contract/roles.ts";
import {
  inviteStaff,
  listStaff,
  revokeStaffInvitation,
  type StaffInvitation,
  staffInvitationDays,
  staffInvitationForm,
  staffRoles,
} from "#contract/staff.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { formatDate } from "#web/ui/format.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";
import { roleNames, roleOptions, roleTexts, StaffTable } from "./StaffTable.tsx";

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
