import { useQuery } from "@tanstack/react-query";
import { listSavedProductIds, setSavedProductEmails } from "#contract/saved-products.ts";
import { queryOf, useCall } from "#web/api/api.ts";

/** Whether the member gets emails about saved laptops. */
export function SavedProductEmails() {
  const { data } = useQuery(queryOf(listSavedProductIds, {}));
  const set = useCall(setSavedProductEmails);
  const emails = set.isPending ? set.variables.body.emails : data?.emails;
  return (
    <label className="mb-6 flex min-h-11 items-center gap-2">
      <input
        type="checkbox"
        className="size-4.5 accent-primary"
        checked={emails ?? true}
        disabled={emails === undefined}
        onChange={({ target }) => set.mutate({ body: { emails: target.checked } })}
      />
      Email me about price drops and sales, at most once a day
    </label>
  );
}
