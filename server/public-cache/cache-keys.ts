import { LRUCache } from "lru-cache";

/** A URL's cache key, and the URL's route for the log. */
type CachedAddress = {
  key: string;
  route: string;
  /** Whether this query changes the page, so that the cached page can't be used. */
  readsQuery?: (search: string) => boolean;
};

/** Longer URLs are left to the router. */
const maxLength = 300;

/** The request URLs, as clients write them, whose responses have been cached. */
export class CachedAddresses {
  readonly #addresses = new LRUCache<string, CachedAddress>({ max: 5_000 });

  add(url: string, address: CachedAddress): void {
    if (url.length <= maxLength) this.#addresses.set(url, address);
  }

  /** Finds a URL. The query is ignored for most pages, but not for API calls. */
  find(url: string): CachedAddress | undefined {
    const found = this.#addresses.get(url);
    if (found || url.startsWith("/api/")) return found;
    const end = url.indexOf("?");
    const page = end < 0 ? undefined : this.#addresses.get(url.slice(0, end));
    return page?.readsQuery?.(url.slice(end)) ? undefined : page;
  }
}
