import { safeDestination } from "#contract/page-paths.ts";

export type LoginReason = "book" | "report" | "category" | "page";

/** The page loader contains this code, so it doesn't import `web/paths.ts`. */
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
