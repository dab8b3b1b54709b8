import { useQuery } from "@tanstack/react-query";
import { readMessageInbox, setMessageEmails } from "#contract/messages.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";

/** The checkbox that turns emails about unread messages on or off. */
export function MessageEmails() {
  const { data } = useQuery(queryOf(readMessageInbox, {}));
  const set = useCall(setMessageEmails);
  return (
    <div className="message-emails">
      <EmailsCheckbox
        emails={set.isPending ? set.variables.body.emails : data?.emails}
        onChange={(emails) => set.mutate({ body: { emails } })}
        label="Email me about unread messages"
      />
    </div>
  );
}
