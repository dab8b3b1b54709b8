import { useQuery } from "@tanstack/react-query";
import { readReviewEmails, setReviewEmails } from "#contract/reviews.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";

/** The setting whether the member gets emails about reviews. */
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
