import { noteVerification, type User, type Verification } from "#contract/members.ts";
import { TextDialog } from "#web/api/form-call.tsx";
import { useMayAct } from "#web/auth/StaffOnly.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";

export function VerificationGrounds({ seller }: { seller: User }) {
  const { _id: id, name, verify, verification } = seller;
  const mayNote = useMayAct("moderation");
  const { emailConfirmedAt, identityCheckedAt, note } = verification;
  return (
    <details className="mt-2 text-muted text-sm">
      <summary className="unfold link-hover">
        <Icon name="chevron-right" className="size-4" />
        What was checked
      </summary>
      <ul>
        {verify && <li>{verifiedText(verification)}</li>}
        <li>{`Email ${emailConfirmedAt ? `confirmed on ${formatDate(emailConfirmedAt)}` : "not confirmed"}`}</li>
        <li>{`Identity ${identityCheckedAt ? `checked by Stripe on ${formatDate(identityCheckedAt)}` : "not checked"}`}</li>
      </ul>
      {note && (
        <p className="user-text mt-1">
          Note: <bdi>{note}</bdi>
        </p>
      )}
      {verify && mayNote && (
        <DialogButton
          look="quiet"
          aria-label={`${note ? "Edit note" : "Add note"} on ${name}`}
          dialog={(onClose) => (
            <TextDialog
              title={`Why ${name} is verified`}
              label="Note"
              hint="For admins. For example how you know who they are. The seller gets it with their data if they ask for it."
              call={noteVerification}
              field="note"
              text={note ?? ""}
              request={(text) => ({ body: { id, note: text } })}
              onClose={onClose}
            />
          )}
        >
          {note ? "Edit note" : "Add note"}
        </DialogButton>
      )}
    </details>
  );
}

function verifiedText({ verifiedAt, verifiedBy }: Verification): string {
  if (!verifiedAt) return "Checked by an admin; the date wasn't recorded";
  return `Checked by ${verifiedBy ?? "an admin"} on ${formatDate(verifiedAt)}`;
}
