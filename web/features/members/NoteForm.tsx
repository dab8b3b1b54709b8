import { noteVerification, type User } from "#contract/members.ts";
import { useCall } from "#web/api/api.ts";
import { TextDialog } from "#web/ui/TextDialog.tsx";
import { showFormError, useFormWithDraft } from "#web/ui/use-zod-form.ts";

export default function NoteForm({ seller, onClose }: { seller: User; onClose: () => void }) {
  const { _id: id, name, verification } = seller;
  const form = useFormWithDraft({ defaultValues: { note: verification.note ?? "" } });
  const save = useCall(noteVerification, {
    onError: (error) => showFormError(form, error),
    onSuccess: onClose,
  });
  return (
    <TextDialog
      title={`Why ${name} is verified`}
      form={form}
      name="note"
      label="Note"
      hint="For admins. For example how you know who they are. The seller gets it with their data if they ask for it."
      busy={save.isPending}
      onSubmit={({ note }) => save.mutate({ body: { id, note } })}
      onClose={onClose}
    />
  );
}
