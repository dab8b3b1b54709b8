import { lazy, Suspense, useState } from "react";
import type { User, Verification } from "#contract/members.ts";
import { useMayAct } from "#web/auth/StaffOnly.tsx";
import { Button } from "#web/ui/Button.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";

/** Loaded on demand, because the form needs the form library. */
const NoteForm = lazy(() => import("./NoteForm.tsx"));

export function VerificationGrounds({ seller }: { seller: User }) {
  const { name, verify, verification } = seller;
  const [isNoting, setNoting] = useState(false);
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
        <Button
          look="quiet"
          size="small"
          aria-label={`${note ? "Edit note" : "Add note"} on ${name}`}
          onClick={() => setNoting(true)}
        >
          {note ? "Edit note" : "Add note"}
        </Button>
      )}
      {isNoting && (
        <Suspense>
          <NoteForm seller={seller} onClose={() => setNoting(false)} />
        </Suspense>
      )}
    </details>
  );
}

function verifiedText({ verifiedAt, verifiedBy }: Verification): string {
  if (!verifiedAt) return "Checked by an admin; the date wasn't recorded";
  return `Checked by ${verifiedBy ?? "an admin"} on ${formatDate(verifiedAt)}`;
}
