import { setTimeout as wait } from "node:timers/promises";
import { cacheTags } from "#contract/cache-tags.ts";
import { surrogateKey } from "./cdn-headers.ts";
import { maxStaleMs, type PublicCache } from "./public-cache.ts";

/** Purges a CDN or Varnish by `Surrogate-Key`. Throws unless the purge is confirmed. */
export type Purge = (tags: readonly string[]) => Promise<void>;

/** Changes within this time share one purge request. */
const batchMs = 100;
/** Delay of the second purge. Until then, a node may still send the CDN an older response. */
const againMs = maxStaleMs + 1_000;
const retryMs = 1_000;
/** Fastly accepts 256 tags per request. */
const maxTags = 200;

/** The tags of responses. Other tags are for members' event streams. */
const names = Object.values(cacheTags).map((tag) => (typeof tag === "string" ? tag : tag("")));

function isOfAnswers(tag: string): boolean {
  return names.some((name) => (name.endsWith(":") ? tag.startsWith(name) : tag === name));
}

type Log = { warn(fields: object, message: string): void };

/** Purges each change, and again when no node serves stale responses. Retries failed purges. */
export function purgeCdn(cache: PublicCache, purge: Purge, log: Log): () => void {
  const due = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = false;

  cache.onChanges((tags) => {
    add(tags);
    setTimeout(() => add(tags), againMs).unref();
  });

  function add(tags: readonly string[]): void {
    if (signal.aborted) return;
    for (const tag of tags) if (isOfAnswers(tag)) due.add(surrogateKey(tag));
    if (!running) void purgeAll();
  }

  async function purgeAll(): Promise<void> {
    running = true;
    let isFailing = false;
    while (due.size > 0 && !signal.aborted) {
      await wait(isFailing ? retryMs : batchMs, undefined, { ref: false });
      const tags = due.has(cacheTags.all) || due.size > maxTags ? [cacheTags.all] : [...due];
      due.clear();
      try {
        await purge(tags);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, "changes were not purged from the CDN");
        isFailing = true;
        for (const tag of tags) due.add(tag);
      }
    }
    running = false;
  }

  return () => stopping.abort();
}
