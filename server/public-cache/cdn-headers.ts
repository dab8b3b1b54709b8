import { cacheTags } from "#contract/cache-tags.ts";

/** A CDN may cut off a longer list of tags, so that a purge would miss the response. */
const maxKeyLength = 8_000;

/** The tag without spaces or pattern characters. Tags with equal keys share purges. */
export function surrogateKey(tag: string): string {
  return tag.replaceAll(/[^\w:-]/g, "_");
}

type Answer = { status: number; tags: ReadonlySet<string>; seconds: number };

/** Without these, Fastly ignores `no-cache` and caches for a default time. */
const notForCdn = { "surrogate-control": "max-age=0", "cdn-cache-control": "no-store" };

/** Browsers obey only `Cache-Control` (decisions/cdn). With 0 `seconds`, CDNs must not cache. */
export function cdnHeaders({ status, tags, seconds }: Answer): Record<string, string> {
  const keys = [cacheTags.all, ...tags].map(surrogateKey).join(" ");
  if (status !== 200 || seconds === 0 || keys.length > maxKeyLength) return notForCdn;
  const control = `public, s-maxage=${seconds}, stale-while-revalidate=${Math.min(seconds, 30)}`;
  return {
    "surrogate-control": control.replace("public, s-maxage", "max-age"),
    "cdn-cache-control": control,
    "surrogate-key": keys,
    "cache-tag": keys.replaceAll(" ", ","),
  };
}
