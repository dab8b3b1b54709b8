import { useQuery } from "@tanstack/react-query";
import { listSavedProductIds, setSavedProductEmails } from "#contract/saved-products.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";

/** The checkbox that turns emails about saved laptops on or off. */
export function SavedProductEmails() {
  const { data } = useQuery(queryOf(listSavedProductIds, {}));
  const set = useCall(setSavedProductEmails);
  return (
    <div className="mb-6">
      <EmailsCheckbox
        emails={set.isPending ? set.variables.body.emails : data?.emails}
        onChange={(emails) => set.mutate({ body: { emails } })}
        label="Email me about price drops and sales, at most once a day"
      />
    </div>
  );
}
