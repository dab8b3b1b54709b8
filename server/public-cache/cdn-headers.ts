import { cacheTags } from "#contract/cache-tags.ts";

/** For longer ones CDNs cut the header off, and a purge would miss the answer. */
const maxKeyLength = 8_000;

/** A tag as a CDN knows it: without spaces, and without what has a meaning in patterns. Two that become one are purged together. */
export function surrogateKey(tag: string): string {
  return tag.replaceAll(/[^\w:-]/g, "_");
}

type Answer = { status: number; tags: ReadonlySet<string>; seconds: number };

/** Without these Fastly keeps the answer for its default time: it ignores `no-cache`. */
const notForCdn = { "surrogate-control": "max-age=0", "cdn-cache-control": "no-store" };

/**
 * What a CDN reads and a browser ignores, while `Cache-Control` is for the browser (decisions/cdn). `seconds`: how long
 * the CDN may keep the answer; 0: not at all.
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
