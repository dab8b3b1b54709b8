import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { listSavedProductIds, saveProduct, unsaveProduct } from "#contract/saved-products.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import "./saved.css";

/**
 * The page is the same for everyone, so the state is read after hydration. A visitor's laptop is
 * saved after login. `name` is set on pages with several laptops.
 */
export function SaveButton({ id, name }: { id: string; name?: string }) {
  const session = useSession();
  const isMember = Boolean(session);
  const { data } = useQuery({ ...queryOf(listSavedProductIds, {}), enabled: isMember });
  const save = useCall(saveProduct);
  const remove = useCall(unsaveProduct);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isSaved = data?.ids.includes(id) === true;
  const request = { params: { id } };
  const { mutate } = save;
  useEffect(() => {
    if (isMember && takeSaveIntent(id)) mutate({ params: { id } });
  }, [isMember, id, mutate]);
  // Admins have no Saved page.
  if (session?.isAdmin) return null;
  const press = () => {
    if (isMember) return isSaved ? remove.mutate(request) : save.mutate(request);
    keepSaveIntent(id);
    void navigate(paths.login(pathname + search));
  };
  return (
    <Button
      look="quiet"
      className="save-button needs-scripts"
      aria-pressed={isSaved}
      aria-description={name}
      busy={save.isPending || remove.isPending}
      onClick={press}
    >
      <Icon name="heart" className="size-4" />
      Save
    </Button>
  );
}

const key = "save-after-login";

/**
 * Remembers the laptop or search during login, but not in the URL, because someone else's link must
 * not save anything.
 */
export function keepSaveIntent(id: string): void {
  try {
    sessionStorage.setItem(key, id);
  } catch {
    // Without storage, the visitor has to press the button again.
  }
}

/** True only once. */
export function takeSaveIntent(id: string): boolean {
  try {
    if (sessionStorage.getItem(key) !== id) return false;
    sessionStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}
