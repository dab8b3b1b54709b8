const here = "http://here.invalid";

/** The page to open after signing in: `from`, or the home page if `from` leads to another site. */
export function safeDestination(from: string | undefined): string {
  if (!from?.startsWith("/") || !URL.canParse(from, here)) return "/";
  const { origin, pathname, search, hash } = new URL(from, here);
  const leavesTheSite = origin !== here || pathname.startsWith("//");
  return leavesTheSite ? "/" : `${pathname}${search}${hash}`;
}
