import type { StaffRole } from "#contract/roles.ts";
import { inviteStaff, staffInvitationDays, staffInvitationForm } from "#contract/staff.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { roleOptions, roleTexts } from "./role-texts.ts";

export function InviteStaff() {
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
      <form
        onSubmit={form.handleSubmit((body) => invite.mutate({ body }))}
        method="post"
        noValidate
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
        <FormMessage message={form.formState.errors.root?.message} />
        <Button type="submit" size="large" busy={invite.isPending}>
          Send invitation
        </Button>
      </form>
      {invite.confirmation}
    </>
  );
}
