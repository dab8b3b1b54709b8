import { useQuery } from "@tanstack/react-query";
import type { readMessageInbox, setMessageEmails } from "#contract/messages.ts";
import type { readReviewEmails, setReviewEmails } from "#contract/reviews.ts";
import type { listSavedProductIds, setSavedProductEmails } from "#contract/saved-products.ts";
import { queryOf, useCall } from "#web/api/api.ts";

type EmailsCheckboxProps = {
  read: typeof readMessageInbox | typeof readReviewEmails | typeof listSavedProductIds;
  change: typeof setMessageEmails | typeof setReviewEmails | typeof setSavedProductEmails;
  label: string;
};

export function EmailsCheckbox({ read, change, label }: EmailsCheckboxProps) {
  const { data } = useQuery(queryOf(read, {}));
  const set = useCall(change);
  const emails = set.isPending ? set.variables.body.emails : data?.emails;
  return (
    <label className="flex min-h-11 items-center gap-2">
      <input
        type="checkbox"
        className="size-4.5 flex-none accent-primary"
        checked={emails ?? true}
        disabled={emails === undefined}
        onChange={({ target }) => set.mutate({ body: { emails: target.checked } })}
      />
      {label}
    </label>
  );
}
