/** The path of a laptop's page. The name in it is only for people and search engines. */
export function laptopPath(id: string, name: string): string {
  return `/laptops/${[id, ...wordsOf(name)].join("-")}`;
}

/** At most twelve ASCII words: "ThinkPad X1, 16 GB" becomes thinkpad, x1, 16 and gb. */
function wordsOf(name: string): string[] {
  const ascii = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return (ascii.match(/[a-z0-9]+/g) ?? []).slice(0, 12);
}

export function sellerPath(sellerId: string): string {
  return `/sellers/${sellerId}`;
}

const here = "http://here.invalid";

/** The page to open after signing in: `from` if it is a path on this site, or else Home. */
export function safeDestination(from: string | undefined): string {
  if (!from?.startsWith("/") || !URL.canParse(from, here)) return "/";
  const { origin, pathname, search, hash } = new URL(from, here);
  const leavesTheSite = origin !== here || pathname.startsWith("//");
  return leavesTheSite ? "/" : `${pathname}${search}${hash}`;
}

/** The footer's columns (specification 2), with page titles by path. */
export const informationTitles: Record<string, Record<string, string>> = {
  Services: {
    "/buying": "Buying",
    "/selling": "Selling",
    "/fees": "Fees",
    "/safety": "Safety",
    "/buyer-protection": "Buyer protection",
    "/verification": "Verification",
    "/advertising": "Advertising",
  },
  Company: {
    "/about": "About us",
    "/contact": "Contact",
    "/jobs": "Jobs",
    "/press-kit": "Press kit",
  },
  Legal: {
    "/terms": "Terms of use",
    "/privacy": "Privacy policy",
    "/cookies": "Cookie policy",
  },
};
