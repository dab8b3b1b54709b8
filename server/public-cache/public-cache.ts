import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** A public response as it is cached: the same bytes for every visitor, compressed once. */
export type CachedResponse = {
  status: number;
  headers: Record<string, string>;
  etag: string;
  bytes: Record<Encoding, Buffer>;
};

export type Encoding = "br" | "gzip" | "identity";

export type RenderedResponse = { status: number; headers: Record<string, string>; body: string };

/**
 * A byte-limited LRU cache of public responses (decision 0007). A response rendered while `clear` is called
 * is sent but not cached, so no stale response is ever cached. Concurrent requests for one key render once.
 */
export class PublicCache {
  readonly #responses: LRUCache<string, CachedResponse>;
  #rendering = new Map<string, Promise<CachedResponse>>();
  #enabled = true;

  constructor({ maxBytes = 64 * 1024 * 1024 } = {}) {
    this.#responses = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (response, key) => sizeOf(key, response),
    });
  }

  get bytes(): number {
    return this.#responses.calculatedSize;
  }

  /** The cached response, or the one `render` produces. Server errors are not cached. */
  async get(key: string, render: () => Promise<RenderedResponse>): Promise<CachedResponse> {
    const found = this.#responses.get(key) ?? this.#rendering.get(key);
    if (found) return await found;
    const rendered = render().then(compress);
    if (!this.#enabled) return await rendered;
    // `clear` replaces the map: what was rendering then must not be cached.
    const rendering = this.#rendering;
    rendering.set(key, rendered);
    try {
      const response = await rendered;
      if (rendering === this.#rendering && response.status < 500)
        this.#responses.set(key, response);
      return response;
    } finally {
      rendering.delete(key);
    }
  }

  clear(): void {
    this.#responses.clear();
    this.#rendering = new Map();
  }

  /** Disabled, nothing is cached: while LISTEN is disconnected, and in development. */
  setEnabled(enabled: boolean): void {
    this.#enabled = enabled;
    this.clear();
  }
}

/** An estimate, with a kilobyte for the objects around the bytes. */
function sizeOf(key: string, { bytes, headers }: CachedResponse): number {
  const text = key.length + JSON.stringify(headers).length;
  return Object.values(bytes).reduce((sum, { length }) => sum + length, 1024 + 2 * text);
}

async function compress({ status, headers, body }: RenderedResponse): Promise<CachedResponse> {
  const identity = Buffer.from(body);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, brotliOptions),
    promisify(gzip)(identity, { level: 7 }),
  ]);
  const etag = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  return { status, headers, etag, bytes: { identity, br, gzip: gzipped } };
}
