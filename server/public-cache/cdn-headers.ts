import { cacheTags } from "#contract/cache-tags.ts";

/**
 * The maximum length of all tags together. CDNs cut longer tags off, so that a purge could miss the
 * response.
 */
const maxKeyLength = 8_000;

/** A tag's CDN key, without spaces or pattern characters. Tags with equal keys share purges. */
export function surrogateKey(tag: string): string {
  return tag.replaceAll(/[^\w:-]/g, "_");
}

type Answer = { status: number; tags: ReadonlySet<string>; seconds: number };

/** Without these headers, Fastly caches a response for a default time: it ignores `no-cache`. */
const notForCdn = { "surrogate-control": "max-age=0", "cdn-cache-control": "no-store" };

/**
 * Returns the headers for a CDN. Browsers ignore these headers and obey `Cache-Control`
 * (decisions/cdn). `seconds` is how long the CDN may cache the response. 0 means not at all.
 */
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
