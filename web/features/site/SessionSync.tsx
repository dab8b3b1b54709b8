import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useRevalidator } from "react-router";
import { accessTokenKey } from "#web/api/access-token.ts";
import { sessionQuery, useSession } from "#web/auth/session.ts";

/**
 * Notices sign-in and sign-out in other tabs, re-runs the page's guard, and drops the previous
 * member's data. Also focuses each new page, for screen readers.
 */
export function SessionSync() {
  useSessionOfOtherTabs();
  useRevalidateOnSessionChange();
  useFocusOnNewPage();
  return null;
}

function useSessionOfOtherTabs() {
  const queries = useQueryClient();
  useEffect(() => {
    const notice = ({ key, oldValue, newValue }: StorageEvent) => {
      const cameOrWent = key === null || (key === accessTokenKey && !oldValue !== !newValue);
      if (cameOrWent) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener("storage", notice);
    return () => removeEventListener("storage", notice);
  }, [queries]);
}

function useRevalidateOnSessionChange() {
  const session = useSession();
  const queries = useQueryClient();
  const { revalidate } = useRevalidator();
  const uid = session === undefined ? undefined : (session?.user.uid ?? null);
  const known = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    const changed = known.current !== undefined && uid !== undefined && known.current !== uid;
    known.current = uid;
    if (!changed) return;
    const personal = { type: "inactive", predicate: isPersonal } as const;
    void revalidate().then(() => queries.removeQueries(personal));
  }, [uid, revalidate, queries]);
}

function isPersonal({ meta }: Query): boolean {
  return meta?.personal === true;
}

function useFocusOnNewPage() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  // Before the page paints, so that it never takes the focus from what the visitor chose meanwhile.
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector("main")?.focus({ preventScroll: true });
  }, [pathname]);
}
