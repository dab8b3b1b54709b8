import { LRUCache } from "lru-cache";

/** An address's key in the cache, and its route for the log. */
export type CachedAddress = {
  key: string;
  route: string;
  /** Whether this query asks for something other than the cached page. */
  readsQuery?: (search: string) => boolean;
};

/** Longer addresses go through the router. */
const maxLength = 300;

/** The request targets, as clients spell them, that the cache has answered. */
export class CachedAddresses {
  readonly #addresses = new LRUCache<string, CachedAddress>({ max: 5_000 });

  add(url: string, address: CachedAddress): void {
    if (url.length <= maxLength) this.#addresses.set(url, address);
  }

  /** The server ignores the query of most pages, but not of calls. */
  find(url: string): CachedAddress | undefined {
    const found = this.#addresses.get(url);
    if (found || url.startsWith("/api/")) return found;
    const end = url.indexOf("?");
    const page = end < 0 ? undefined : this.#addresses.get(url.slice(0, end));
    return page?.readsQuery?.(url.slice(end)) ? undefined : page;
  }
}
