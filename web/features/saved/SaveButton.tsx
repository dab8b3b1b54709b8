import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { listSavedProductIds, saveProduct, unsaveProduct } from "#contract/saved-products.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

/**
 * Shows whether the laptop is saved, but only after hydration: the server's page is the same for
 * everyone. For visitors, saves after login. `name` is set on pages with several laptops.
 */
export function SaveButton({ id, name }: { id: string; name?: string }) {
  const session = useSession();
  const { data } = useQuery({ ...queryOf(listSavedProductIds, {}), enabled: Boolean(session) });
  const save = useCall(saveProduct);
  const remove = useCall(unsaveProduct);
  const isSaved = data?.ids.includes(id) === true;
  const request = { params: { id } };
  const saveAsMember = useSaveAsMember(id, () => save.mutate(request));
  // Admins have no Saved page.
  if (session?.isAdmin) return null;
  return (
    <Button
      look="quiet"
      className="save-button needs-scripts"
      aria-pressed={isSaved}
      aria-description={name}
      busy={save.isPending || remove.isPending}
      onClick={() => (session && isSaved ? remove.mutate(request) : saveAsMember())}
    >
      <Icon name="heart" className={isSaved ? "size-4 fill-current" : "size-4"} />
      Save
    </Button>
  );
}

const key = "save-after-login";

/**
 * Returns a function that saves, for visitors after login. `what` is remembered during login, but
 * not in the URL, because someone else's link must not save anything.
 */
export function useSaveAsMember(what: string, save: () => void): () => void {
  const isMember = Boolean(useSession());
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!isMember || sessionStorage.getItem(key) !== what) return;
    sessionStorage.removeItem(key);
    save();
  });
  return () => {
    if (isMember) return save();
    void navigate(paths.login(pathname + search));
    sessionStorage.setItem(key, what);
  };
}
