import { data, type LoaderFunctionArgs, redirect, replace } from "react-router";
import { CallError } from "#contract/client.ts";
import { mayAct, type StaffAccess } from "#contract/roles.ts";
import { browserQueries } from "../api/query-client.ts";
import { paths } from "../paths.ts";
import { type Session, sessionQuery } from "./session.ts";

/** Thrown by loaders. The error screen explains which role is needed. */
export type NeedsRole = { needs: "seller" | StaffAccess };

/** Redirects visitors to the login page, which sends them back after they log in. */
export async function requireMember(request: Request): Promise<Session> {
  const session = await browserQueries.query({ ...sessionQuery, staleTime: "static" });
  if (session) return session;
  const { pathname, search } = new URL(request.url);
  const wanted = `${pathname}${search}`;
  // Replaces the history entry, or Back would lead to login again. A request has no fragment.
  if (wanted === `${location.pathname}${location.search}`)
    throw replace(paths.login(`${wanted}${location.hash}`));
  throw redirect(paths.login(wanted));
}

export async function requireRole(request: Request, role: NeedsRole["needs"]): Promise<Session> {
  const session = await requireMember(request);
  if (role !== "seller" && session.needsSecondFactor) throw redirect(paths.profile());
  if (role === "seller" ? session.isSeller : mayAct(session.staffRole, role)) return session;
  throw data({ needs: role } satisfies NeedsRole, { status: 403 });
}

/** The loader of a page that only needs a role. */
export function roleLoader(role: NeedsRole["needs"]) {
  return ({ request }: Pick<LoaderFunctionArgs, "request">) => requireRole(request, role);
}

/** Turns a call's 404 into a not-found page. Other errors are left to the page. */
export function throwIfNotFound(error: unknown): void {
  if (error instanceof CallError && error.status === 404) throw data(null, { status: 404 });
}
