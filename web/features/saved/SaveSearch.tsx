import { useQuery } from "@tanstack/react-query";
import { listSavedSearches, saveSearch } from "#contract/saved-searches.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { useSaveAsMember } from "./SaveButton.tsx";

export function SaveSearch({ search }: { search: Record<string, string> }) {
  const { cursor: _, sort, ...wanted } = search;
  const address = new URLSearchParams(wanted).toString();
  const session = useSession();
  const { data = [] } = useQuery({ ...queryOf(listSavedSearches, {}), enabled: Boolean(session) });
  const save = useCall(saveSearch);
  const saveAsMember = useSaveAsMember(address, () => save.mutate({ body: { search: address } }));
  // Admins have no Saved page.
  if (address === "" || session?.isAdmin) return null;
  if (data.some((one) => isSame(one.search, address)))
    return (
      <ButtonLink to={paths.saved()} look="quiet" size="small">
        <Icon name="circle-check" className="size-4" />
        <span>
          Saved<span className="max-sm:sr-only"> search</span>
        </span>
      </ButtonLink>
    );
  return (
    <Button
      look="quiet"
      size="small"
      className="needs-scripts"
      busy={save.isPending}
      onClick={saveAsMember}
    >
      <Icon name="heart" className="size-4" />
      <span>
        Save<span className="max-sm:sr-only"> search</span>
      </span>
    </Button>
  );
}

/** Whether two searches have the same parameters, in any order. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => [...new URLSearchParams(text)].map(String).sort());
  return String(a) === String(b);
}
