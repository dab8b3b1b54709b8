import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 7 }),
  identity: async (bytes: Buffer) => bytes,
};

export type Encoding = keyof typeof compressors;

/** What is kept of a public answer: the same bytes for everyone, ready to be sent. */
export type CachedResponse = {
  status: number;
  headers: Record<string, string>;
  etag: string;
  bytes: Record<Encoding, Buffer>;
};

export type RenderedResponse = { status: number; headers: Record<string, string>; body: string };

/** An answer being made, or made and so many bytes large. */
type Kept = { made: Promise<CachedResponse>; bytes: number };

/**
 * Answers that do not depend on who asks, kept until something they show changes. What is produced
 * while a change comes in is answered but not kept, so a stale answer is never kept. What was not asked
 * for longest makes room, so that nobody fills the memory with addresses of their own making.
 */
export class PublicCache {
  /** The one asked for last stands last. */
  readonly #kept = new Map<string, Kept>();
  readonly #most: number;
  #bytes = 0;
  /** Off while changes can't be heard of: then every answer is produced anew. */
  #listening = true;

  /** A cache of at most so many bytes. */
  constructor({ mostBytes = 64 * 1024 * 1024 } = {}) {
    this.#most = mostBytes;
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The kept answer under this key, or the one `produce` makes. */
  async read(key: string, produce: () => Promise<RenderedResponse>): Promise<CachedResponse> {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.made;
    }
    const made = produce().then(prepare);
    if (!this.#listening) return made;
    const keeping = { made, bytes: 0 };
    this.#kept.set(key, keeping);
    const answer = await made.catch((error: unknown) => {
      this.#forget(key, keeping);
      throw error;
    });
    if (answer.status < 500) this.#count(key, keeping, answer);
    else this.#forget(key, keeping);
    return answer;
  }

  /** Forgets everything: something public has changed. */
  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** Whether changes are heard of; while they are not, nothing is kept. */
  listen(on: boolean): void {
    this.#listening = on;
    this.clear();
  }

  #count(key: string, keeping: Kept, answer: CachedResponse): void {
    if (this.#kept.get(key) !== keeping) return;
    keeping.bytes = sizeOf(key, answer);
    this.#bytes += keeping.bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#most) return;
      this.#forget(oldest, kept);
    }
  }

  #forget(key: string, keeping: Kept): void {
    if (this.#kept.get(key) !== keeping) return;
    this.#kept.delete(key);
    this.#bytes -= keeping.bytes;
  }
}

/** What an answer takes, with a kilobyte for all that stands around it. */
function sizeOf(key: string, { bytes, headers }: CachedResponse): number {
  const text = key.length + JSON.stringify(headers).length;
  return Object.values(bytes).reduce((sum, { length }) => sum + length, 1024 + 2 * text);
}

async function prepare({ status, headers, body }: RenderedResponse): Promise<CachedResponse> {
  const identity = Buffer.from(body);
  const [br, gzipped] = await Promise.all([compressors.br(identity), compressors.gzip(identity)]);
  const etag = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  return { status, headers, etag, bytes: { identity, br, gzip: gzipped } };
}
