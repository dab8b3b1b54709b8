import { LRUCache } from "lru-cache";
import { cacheTags } from "#contract/cache-tags.ts";
import { isPreview } from "../current-shop.ts";
import type { WalPosition } from "../db/wal-positions.ts";
import { CachedResponse, type RenderedResponse } from "./cached-response.ts";
import {
  currentRender,
  type Entry,
  includesChange,
  inherit,
  Renders,
  type Source,
} from "./renders.ts";

/** A node that has not read a change yet may serve a stale response for at most this long. */
export const maxStaleMs = 1_000;
/** Responses cached for longer than this get the best compression. */
const recompressAfterMs = 3_000;

type Options = {
  maxBytes?: number;
  cdnSeconds?: number | undefined;
};

type ReadOptions = {
  /** The reader's IP address, for a fair turn in the queue. */
  reader?: string | undefined;
  queue?: Source["queue"];
};

/**
 * An LRU cache of public responses, limited in bytes and invalidated by tags
 * (decisions/public-cache). Pages are cached unless their HTML depends on the query
 * (server/pages/pages.ts), and public GET calls unless marked `uncached`
 * (server/http/route-registration.ts).
 */
export class PublicCache {
  readonly addresses = new CachedAddresses();
  /** `misses`: requests that waited for a render. */
  readonly requests = { hits: 0, misses: 0 };
  /** False in development. */
  isEnabled = true;
  /** While this resolves with false, no tagged responses are served from the cache. */
  readChanges: () => Promise<boolean> = async () => true;
  readonly #entries: LRUCache<string, Entry>;
  readonly #renders: Renders;
  readonly #listeners: ((tags: readonly string[]) => void)[] = [];
  readonly #recompressed = new WeakSet<CachedResponse>();
  #recompressing: Promise<unknown> = Promise.resolve();
  #currentUntil = 0;
  #changePosition: WalPosition | undefined;

  constructor({ maxBytes = 64 * 1024 * 1024, cdnSeconds }: Options = {}) {
    this.#renders = new Renders((key, entry) => this.#entries.set(key, entry), cdnSeconds);
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ response, tags }, key) =>
        response.size + 2 * key.length + 200 * tags.size,
    });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Whether changes were read recently enough to use cached responses. */
  get isReadingChanges(): boolean {
    return performance.now() < this.#currentUntil;
  }

  /** A WAL position that includes all changes read so far; undefined while they can't be read. */
  get changePosition(): WalPosition | undefined {
    return this.isReadingChanges ? this.#changePosition : undefined;
  }

  setChangePosition(position: WalPosition): void {
    this.#changePosition = position;
  }

  /** Sets the `performance.now()` until which the cache may be used without reading changes. */
  setCurrentUntil(time: number): void {
    this.#currentUntil = time;
  }

  /** Returns a cached response, or renders it. Throws `UNAVAILABLE` if the render queue is full. */
  async get(
    key: string,
    render: () => Promise<RenderedResponse>,
    { reader, queue = "calls" }: ReadOptions = {},
  ): Promise<CachedResponse> {
    if (isPreview()) return new CachedResponse(uncached(await render()));
    if (!this.isEnabled) return new CachedResponse(await render());
    const parent = currentRender();
    const found = await this.#find(key);
    if (!parent) this.requests[found ? "hits" : "misses"] += 1;
    const entry = found ?? (await this.#renders.render({ key, queue, render, reader }));
    if (parent) inherit(parent, entry);
    return entry.response;
  }

  /** Renders without caching. Throws `UNAVAILABLE` if the render queue is full. */
  async renderPage(
    render: () => Promise<RenderedResponse>,
    reader: string,
  ): Promise<CachedResponse> {
    return await this.#renders.renderOnce(render, reader);
  }

  /** Finds a response that can be served immediately, without reading changes. */
  hit(key: string): CachedResponse | undefined {
    const now = performance.now();
    const entry = this.#entries.get(key);
    if (!entry || !this.#isCurrent(entry, now)) return undefined;
    if (now - entry.renderedAt > recompressAfterMs) this.#recompress(entry);
    return entry.response;
  }

  /** `listener` gets the tags of all nodes' changes, or `all` if changes may be missing. */
  onChanges(listener: (tags: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  invalidate(tags: readonly string[]): void {
    for (const listener of this.#listeners) listener(tags);
    const changed = new Set(tags);
    this.#renders.invalidate(changed);
    const outdated = [...this.#entries].filter(([, entry]) => includesChange(entry.tags, changed));
    for (const [key] of outdated) this.#entries.delete(key);
  }

  /** Makes later reads on this node see a write that has been committed. */
  async readOwnWrite(): Promise<void> {
    if (!(await this.readChanges())) this.clear();
  }

  /** Removes every response that a change can make stale. */
  clear(): void {
    this.invalidate([cacheTags.all]);
  }

  async #find(key: string): Promise<Entry | undefined> {
    const known = this.#entries.get(key);
    if (!known) return undefined;
    if (!this.#isCurrent(known) && !(await this.readChanges())) return undefined;
    const entry = this.#entries.get(key);
    return entry && performance.now() < entry.expiresAt ? entry : undefined;
  }

  #isCurrent({ tags, expiresAt }: Entry, now = performance.now()): boolean {
    return now < expiresAt && (now < this.#currentUntil || tags.size === 0);
  }

  #recompress({ response }: Entry): void {
    if (this.#recompressed.has(response)) return;
    this.#recompressed.add(response);
    this.#recompressing = this.#recompressing.then(() => response.recompress());
  }
}

/** Keeps preview responses out of CDNs and browser caches. */
function uncached({ headers, ...rendered }: RenderedResponse): RenderedResponse {
  return { ...rendered, headers: { ...headers, "cache-control": "private, no-store" } };
}

type CachedAddress = {
  key: string;
  route: string;
  /** Whether this query changes the page, so that the cached page can't be used. */
  readsQuery?: (search: string) => boolean;
};

/** In characters. Longer URLs are not remembered. */
const maxLength = 300;

/** Request URLs, as clients write them, whose responses have been cached. */
class CachedAddresses {
  readonly #addresses = new LRUCache<string, CachedAddress>({ max: 5_000 });

  add(url: string, address: CachedAddress): void {
    if (url.length <= maxLength) this.#addresses.set(url, address);
  }

  /** Ignores the query of most pages, but not of API calls. */
  find(url: string): CachedAddress | undefined {
    const found = this.#addresses.get(url);
    if (found || url.startsWith("/api/")) return found;
    const end = url.indexOf("?");
    const page = end < 0 ? undefined : this.#addresses.get(url.slice(0, end));
    return page?.readsQuery?.(url.slice(end)) ? undefined : page;
  }
}
