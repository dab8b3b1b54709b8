import { safeDestination } from "#contract/page-paths.ts";

export type LoginReason = "book" | "report" | "category" | "page";

/** Doesn't import `web/paths.ts`, because this code is part of every page's inline script. */
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
