import { changeStaffRole, type StaffMember, staffInvitationForm } from "#contract/staff.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { roleNames, roleOptions, roleTexts } from "./role-texts.ts";

type ChangeRoleProps = { admin: StaffMember; onClose: () => void };

const schema = staffInvitationForm.pick({ role: true });

export function ChangeRole({ admin: { _id: id, name, role }, onClose }: ChangeRoleProps) {
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
        <form
          onSubmit={form.handleSubmit((body) => change.mutate({ params: { id }, body }))}
          noValidate
          className="flex flex-col gap-2"
        >
          <FormField
            form={form}
            name="role"
            label="Role"
            as="select"
            options={roleOptions}
            hint={roleTexts[form.watch("role")]}
          />
          <FormMessage message={form.formState.errors.root?.message} />
          <Button type="submit" size="large" busy={change.isPending}>
            Save
          </Button>
        </form>
      </Dialog>
      {change.confirmation}
    </>
  );
}
