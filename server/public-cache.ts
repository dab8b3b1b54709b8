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
export type PublicAnswer = {
  status: number;
  headers: Record<string, string>;
  etag: string;
  bytes: Record<Encoding, Buffer>;
};

export type Produced = { status: number; headers: Record<string, string>; body: string };

/**
 * Answers that do not depend on who asks, kept until something they show changes. What is produced
 * while a change comes in is answered but not kept, so a stale answer is never kept.
 */
export class PublicCache {
  readonly #kept = new Map<string, Promise<PublicAnswer>>();
  readonly #most: number;
  /** Off while changes can't be heard of: then every answer is produced anew. */
  #listening = true;

  constructor({ most = 2_000 } = {}) {
    this.#most = most;
  }

  /** The kept answer under this key, or the one `produce` makes. */
  async read(key: string, produce: () => Promise<Produced>): Promise<PublicAnswer> {
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const made = produce().then(prepare);
    if (!this.#listening) return made;
    this.#keep(key, made);
    const answer = await made.catch((error: unknown) => {
      this.#forget(key, made);
      throw error;
    });
    if (answer.status !== 200) this.#forget(key, made);
    return answer;
  }

  /** Forgets everything: something public has changed. */
  clear(): void {
    this.#kept.clear();
  }

  /** Whether changes are heard of; while they are not, nothing is kept. */
  listen(on: boolean): void {
    this.#listening = on;
    this.clear();
  }

  #keep(key: string, made: Promise<PublicAnswer>): void {
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= this.#most && !oldest.done) this.#kept.delete(oldest.value);
    this.#kept.set(key, made);
  }

  #forget(key: string, made: Promise<PublicAnswer>): void {
    if (this.#kept.get(key) === made) this.#kept.delete(key);
  }
}

async function prepare({ status, headers, body }: Produced): Promise<PublicAnswer> {
  const identity = Buffer.from(body);
  const [br, gzipped] = await Promise.all([compressors.br(identity), compressors.gzip(identity)]);
  const etag = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  return { status, headers, etag, bytes: { identity, br, gzip: gzipped } };
}
