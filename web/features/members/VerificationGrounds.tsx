import { noteVerification, type User, type Verification } from "#contract/members.ts";
import { useMayAct } from "#web/auth/StaffOnly.tsx";
import { TextDialogButton } from "#web/domain/forms/TextDialogButton.tsx";
import { formatDate } from "#web/ui/format.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { UserText } from "#web/ui/UserText.tsx";

/** Shows what was checked about a seller, and which admin verified the seller. */
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
          Note: <UserText>{note}</UserText>
        </p>
      )}
      {verify && mayNote && (
        <TextDialogButton
          look="quiet"
          aria-label={`${note ? "Edit note" : "Add note"} on ${name}`}
          call={noteVerification}
          request={(text) => ({ body: { id, note: text } })}
          title={`Why ${name} is verified`}
          name="note"
          label="Note"
          hint="For admins. For example how you know who they are. The seller gets it with their data if they ask for it."
          initial={note ?? ""}
        >
          {note ? "Edit note" : "Add note"}
        </TextDialogButton>
      )}
    </details>
  );
}

function verifiedText({ verifiedAt, verifiedBy }: Verification): string {
  if (!verifiedAt) return "Checked by an admin; the date wasn't recorded";
  return `Checked by ${verifiedBy ?? "an admin"} on ${formatDate(verifiedAt)}`;
}
