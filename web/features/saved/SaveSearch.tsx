import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { listSavedSearches, saveSearch } from "#contract/saved-searches.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { keepSaveIntent, takeSaveIntent } from "./SaveButton.tsx";

/** A visitor's search is saved after login. */
export function SaveSearch({ search }: { search: Record<string, string> }) {
  const { cursor: _, sort, ...wanted } = search;
  const address = new URLSearchParams(wanted).toString();
  const session = useSession();
  const isMember = Boolean(session);
  const { data = [] } = useQuery({ ...queryOf(listSavedSearches, {}), enabled: isMember });
  const save = useCall(saveSearch);
  const navigate = useNavigate();
  const { pathname, search: query } = useLocation();
  const { mutate } = save;
  useEffect(() => {
    if (isMember && takeSaveIntent(address)) mutate({ body: { search: address } });
  }, [isMember, address, mutate]);
  // Admins have no Saved page.
  if (address === "" || session?.isAdmin) return null;
  if (data.some((one) => isSame(one.search, address)))
    return (
      <Link to={paths.saved()} className={buttonClass({ look: "quiet", size: "small" })}>
        <Icon name="circle-check" className="size-4" />
        Search saved
      </Link>
    );
  const press = () => {
    if (isMember) return save.mutate({ body: { search: address } });
    keepSaveIntent(address);
    void navigate(paths.login(`${pathname}${query}`));
  };
  return (
    <Button
      look="quiet"
      size="small"
      className="needs-scripts"
      busy={save.isPending}
      onClick={press}
    >
      <Icon name="heart" className="size-4" />
      Save<span className="max-sm:sr-only"> search</span>
    </Button>
  );
}

/** Compares the parameters in any order. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => [...new URLSearchParams(text)].map(String).sort());
  return String(a) === String(b);
}
