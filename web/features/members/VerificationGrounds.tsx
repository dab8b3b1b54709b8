import { useState } from "react";
import { noteVerification, type User } from "#contract/members.ts";
import type { Verification } from "#contract/verification.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { formatDate } from "#web/ui/format.ts";
import { TextDialog } from "#web/ui/TextDialog.tsx";
import { UserText } from "#web/ui/UserText.tsx";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";

/** What is known about a seller, and why they are verified, if they are. */
export function VerificationGrounds({ seller }: { seller: User }) {
  const { name, verify, verification } = seller;
  const [isNoting, setNoting] = useState(false);
  const { emailConfirmedAt, identityCheckedAt, note } = verification;
  return (
    <div className="mt-2 max-w-64 text-muted text-sm">
      <ul>
        {verify && <li>{verifiedText(verification)}</li>}
        <li>{`Email ${emailConfirmedAt ? `confirmed ${formatDate(emailConfirmedAt)}` : "not confirmed"}`}</li>
        <li>{`Identity ${identityCheckedAt ? `checked by Stripe ${formatDate(identityCheckedAt)}` : "not checked"}`}</li>
      </ul>
      {note && (
        <p className="user-text mt-1">
          Note: <UserText>{note}</UserText>
        </p>
      )}
      {verify && (
        <Button
          look="quiet"
          size="small"
          aria-label={`${note ? "Edit note" : "Add note"} on ${name}`}
          onClick={() => setNoting(true)}
        >
          {note ? "Edit note" : "Add note"}
        </Button>
      )}
      {isNoting && <NoteForm seller={seller} onClose={() => setNoting(false)} />}
    </div>
  );
}

function verifiedText({ verifiedAt, verifiedBy }: Verification): string {
  if (!verifiedAt) return "Checked by an admin, not recorded when";
  return `Checked by ${verifiedBy ?? "an admin"} ${formatDate(verifiedAt)}`;
}

function NoteForm({ seller, onClose }: { seller: User; onClose: () => void }) {
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
      onSubmit={form.handleSubmit(({ note }) => save.mutate({ body: { id, note } }))}
      onClose={onClose}
    />
  );
}
