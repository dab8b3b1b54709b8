const here = "http://here.invalid";

/**
 * Where `from` leads after signing in: a page of this site with its query, or the home page when it names
 * any other site.
 */
export function safeDestination(from: string | undefined): string {
  if (!from?.startsWith("/") || !URL.canParse(from, here)) return "/";
  const { origin, pathname, search, hash } = new URL(from, here);
  const leavesTheSite = origin !== here || pathname.startsWith("//");
  return leavesTheSite ? "/" : `${pathname}${search}${hash}`;
}
