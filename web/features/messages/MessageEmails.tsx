import { useQuery } from "@tanstack/react-query";
import { readMessageInbox, setMessageEmails } from "#contract/messages.ts";
import { queryOf, useCall } from "#web/api/api.ts";

/** Whether the member gets emails about unread messages. */
export function MessageEmails() {
  const { data } = useQuery(queryOf(readMessageInbox, {}));
  const set = useCall(setMessageEmails);
  const emails = set.isPending ? set.variables.body.emails : data?.emails;
  return (
    <label className="mt-6 flex min-h-11 items-center gap-2 text-sm">
      <input
        type="checkbox"
        className="size-4.5 accent-primary"
        checked={emails ?? true}
        disabled={emails === undefined}
        onChange={({ target }) => set.mutate({ body: { emails: target.checked } })}
      />
      Email me about unread messages
    </label>
  );
}
