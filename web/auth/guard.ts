import { data, redirect, replace } from "react-router";
import { CallError } from "#contract/client.ts";
import { mayAct, type StaffAccess } from "#contract/roles.ts";
import { browserQueries } from "../api/query-client.ts";
import { paths } from "../paths.ts";
import { type Session, sessionQuery } from "./session.ts";

/**
 * Loaders throw this if the member lacks the role. The error screen explains which role is needed.
 */
export type NeedsRole = { needs: "seller" | StaffAccess };

/**
 * Returns the member's session. Redirects visitors to the login page, which sends them back to this
 * page after they log in.
 */
export async function requireMember(request: Request): Promise<Session> {
  const session = await browserQueries.query({ ...sessionQuery, staleTime: "static" });
  if (session) return session;
  const { pathname, search } = new URL(request.url);
  const wanted = `${pathname}${search}`;
  // Replaces the history entry. Otherwise Back would open the guarded page and lead to login again.
  // The fragment comes from `location`, because a request has none.
  if (wanted === `${location.pathname}${location.search}`)
    throw replace(paths.login(`${wanted}${location.hash}`));
  throw redirect(paths.login(wanted));
}

/** Like `requireMember`, for pages that need a role. */
export async function requireRole(request: Request, role: NeedsRole["needs"]): Promise<Session> {
  const session = await requireMember(request);
  if (role !== "seller" && session.needsSecondFactor) throw redirect(paths.profile());
  if (role === "seller" ? session.isSeller : mayAct(session.staffRole, role)) return session;
  throw data({ needs: role } satisfies NeedsRole, { status: 403 });
}

/** Turns a call's 404 into a not-found page. For other errors, the current page offers a retry. */
export function throwIfNotFound(error: unknown): void {
  if (error instanceof CallError && error.status === 404) throw data(null, { status: 404 });
}
