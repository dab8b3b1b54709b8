import { safeDestination } from "#contract/safe-destination.ts";

export type LoginReason = "book" | "report" | "category" | "page";

/**
 * Why a visitor who wanted to open `from` has to log in; undefined if they came by themselves. Part of the page
 * loader, so without `web/paths.ts`.
 */
export function loginReason(from: string | null | undefined): LoginReason | undefined {
  const { pathname, searchParams } = new URL(
    safeDestination(from ?? undefined),
    "http://here.invalid",
  );
  if (searchParams.has("book")) return "book";
  if (searchParams.has("report")) return "report";
  if (pathname.startsWith("/categoryProducts/")) return "category";
  return `${pathname}/`.startsWith("/dashboard/") ? "page" : undefined;
}
