import { LRUCache } from "lru-cache";

/** What is served at an address: the key in the cache, and the route for the log. */
export type CachedAddress = {
  key: string;
  route: string;
  /** Whether this query asks for something else than the cached page. */
  readsQuery?: (search: string) => boolean;
};

/** Longer addresses go through the router. */
const maxLength = 300;

/** Which request targets, as clients spell them, have been answered from the cache. */
export class CachedAddresses {
  readonly #addresses = new LRUCache<string, CachedAddress>({ max: 5_000 });

  add(url: string, address: CachedAddress): void {
    if (url.length <= maxLength) this.#addresses.set(url, address);
  }

  /** The query of most pages doesn't matter to the server; that of a call does. */
  find(url: string): CachedAddress | undefined {
    const found = this.#addresses.get(url);
    if (found || url.startsWith("/api/")) return found;
    const end = url.indexOf("?");
    const page = end < 0 ? undefined : this.#addresses.get(url.slice(0, end));
    return page?.readsQuery?.(url.slice(end)) ? undefined : page;
  }
}
