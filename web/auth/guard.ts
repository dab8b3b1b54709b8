import { data, redirect, replace } from "react-router";
import { CallError } from "#contract/client.ts";
import { browserQueries } from "../api/query-client.ts";
import { paths } from "../paths.ts";
import { type Session, sessionQuery } from "./session.ts";

/** What a page's loader throws at a member of another role; the layout's error screen explains it. */
export type NeedsRole = { needs: "seller" | "admin" };

/** The session of whoever opens a protected page; a guest goes to log in and comes back after. */
export async function requireMember(request: Request): Promise<Session> {
  const session = await browserQueries.query({ ...sessionQuery, staleTime: "static" });
  if (session) return session;
  const { pathname, search } = new URL(request.url);
  const wanted = `${pathname}${search}`;
  // Replaced, not pushed, so that Back does not return to the guarded address and from there to the login.
  // Only the window's own address still has its fragment: a request has none.
  if (wanted === `${location.pathname}${location.search}`)
    throw replace(paths.login(`${wanted}${location.hash}`));
  throw redirect(paths.login(wanted));
}

/** As `requireMember`, on a page of one role. */
export async function requireRole(request: Request, role: NeedsRole["needs"]): Promise<Session> {
  const session = await requireMember(request);
  if (role === "admin" && session.needsSecondFactor) throw redirect(paths.profile());
  if (role === "admin" ? session.isAdmin : session.isSeller) return session;
  throw data({ needs: role } satisfies NeedsRole, { status: 403 });
}

/**
 * For what a page reads before it shows: what is not there, or not the member's, is a page that is not there.
 * Any other failure is for the page itself to show, with a way to try again.
 */
export function throwIfNotFound(error: unknown): void {
  if (error instanceof CallError && error.status === 404) throw data(null, { status: 404 });
}
