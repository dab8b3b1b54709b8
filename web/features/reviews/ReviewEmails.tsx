import { useQuery } from "@tanstack/react-query";
import { readReviewEmails, setReviewEmails } from "#contract/reviews.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";

/** The checkbox that turns emails about reviews on or off. */
export function ReviewEmails() {
  const { data } = useQuery(queryOf(readReviewEmails, {}));
  const set = useCall(setReviewEmails);
  return (
    <div className="mt-6 text-sm">
      <EmailsCheckbox
        emails={set.isPending ? set.variables.body.emails : data?.emails}
        onChange={(emails) => set.mutate({ body: { emails } })}
        label="Email me about reviews"
      />
    </div>
  );
}
