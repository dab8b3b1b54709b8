import type { QueryClient } from "@tanstack/react-query";
import { data as respond } from "react-router";
import { CallError } from "#contract/client.ts";
import { browserQueries } from "../api/query-client.ts";
import type { PageQuery } from "./markup.tsx";

/** The query's error; null if cached data can be shown, which a 404 or 410 rules out. */
export function errorOf(queries: QueryClient, { queryKey }: PageQuery): Error | null {
  const { data, error } = queries.getQueryState(queryKey) ?? { data: undefined, error: null };
  return data === undefined || isMissing(error) ? error : null;
}

/** Throws if the page's subject can't be read. A missing subject becomes a 404 or 410 page. */
export function requireRead(query: PageQuery): void {
  const error = errorOf(browserQueries, query);
  if (error) throw isMissing(error) ? respond(null, { status: error.status }) : error;
}

/** Whether the error is a 404 or 410: the subject never existed or is gone. */
export function isMissing(error: unknown): error is CallError {
  return error instanceof CallError && (error.status === 404 || error.status === 410);
}

/**
 * Returns the status and canonical path of a page, for `handle.lookUp` (server/pages/site.ts).
 * After an error other than 404 or 410, the server renders the page, which then fails with 500 or
 * 503.
 */
export async function lookUp(
  find: () => Promise<string>,
): Promise<{ status: number; path?: string }> {
  try {
    return { status: 200, path: await find() };
  } catch (error) {
    return { status: isMissing(error) ? error.status : 200 };
  }
}
