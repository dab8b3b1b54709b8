import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { Negotiator } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { MaxAge } from "#contract/call.ts";

export const encodings = ["br", "gzip", "identity"] as const;

export type Encoding = (typeof encodings)[number];

export type RenderedResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The response's own tags, not those of API responses that it uses (contract/cache-tags.ts). */
  tags?: readonly string[];
  /** The response's own maximum age, not those of API responses that it uses. */
  maxAge?: MaxAge | undefined;
};

/** `headers` omits the headers that every response has. */
export type EncodedResponse = { bytes: Buffer; headers: Record<string, string> };

type Quality = "fast" | "best";

/** The same bytes for every visitor, compressed when an encoding is first requested. */
export class CachedResponse {
  readonly status: number;
  readonly #headers: Record<string, string>;
  readonly #identity: Buffer;
  readonly #hash: string;
  readonly #encoded = new Map<Encoding, EncodedResponse>();
  readonly #encoding = new Map<Encoding, Promise<EncodedResponse>>();

  constructor({ status, headers, body }: Omit<RenderedResponse, "tags" | "maxAge">) {
    this.status = status;
    this.#headers = { ...headers, vary: "accept-encoding" };
    this.#headers["cache-control"] ??= "public, no-cache";
    this.#identity = Buffer.from(body);
    this.#hash = createHash("sha256").update(this.#identity).digest("base64url").slice(0, 22);
  }

  /** An estimate in bytes, including all encodings. */
  get size(): number {
    return 1024 + 2 * JSON.stringify(this.#headers).length + 2 * this.#identity.length;
  }

  encoded(encoding: Encoding): EncodedResponse | undefined {
    return this.#encoded.get(encoding);
  }

  /** Compresses quickly, because a reader is waiting. */
  async encode(encoding: Encoding): Promise<EncodedResponse> {
    let encoded = this.#encoding.get(encoding);
    if (!encoded) {
      encoded = this.#compress(encoding, "fast");
      this.#encoding.set(encoding, encoded);
    }
    return await encoded;
  }

  /** Compresses the response to a smaller size, which is slow. */
  async recompress(): Promise<void> {
    for (const encoding of this.#encoded.keys())
      if (encoding !== "identity") await this.#compress(encoding, "best");
  }

  matches(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined || this.status !== 200) return false;
    return ifNoneMatch.includes(`"${this.#hash}-`) || ifNoneMatch.trim() === "*";
  }

  async #compress(encoding: Encoding, quality: Quality): Promise<EncodedResponse> {
    const bytes = await compress[encoding](this.#identity, quality);
    const version = encoding === "identity" ? encoding : `${encoding}-${quality}`;
    const encoded = {
      bytes,
      headers: {
        ...this.#headers,
        etag: `"${this.#hash}-${version}"`,
        ...(encoding !== "identity" && { "content-encoding": encoding }),
      },
    };
    this.#encoded.set(encoding, encoded);
    return encoded;
  }
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

const compress: Record<Encoding, (bytes: Buffer, quality: Quality) => Promise<Buffer>> = {
  identity: async (bytes) => bytes,
  gzip: async (bytes, quality) =>
    await promisify(gzip)(bytes, { level: { fast: 1, best: 9 }[quality] }),
  br: async (bytes, quality) => {
    const params = {
      [BROTLI_PARAM_QUALITY]: { fast: 1, best: 11 }[quality],
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return await promisify(brotliCompress)(bytes, { params });
  },
};

/** Responds with 304 if the ETag matches. */
export async function sendCachedResponse(
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { bytes, headers } = await response.encode(
    chooseEncoding(request.headers["accept-encoding"]),
  );
  reply.headers(headers);
  if (!response.matches(request.headers["if-none-match"]))
    return reply.code(response.status).send(bytes);
  reply.removeHeader("content-encoding");
  return reply.code(304).send();
}

/** The small cache suffices, because browsers send only a few values of `accept-encoding`. */
const negotiator = new Negotiator<Encoding>({
  supportedValues: [...encodings],
  cache: new LRUCache<string, string>({ max: 100 }),
});

export function chooseEncoding(accepted = ""): Encoding {
  return negotiator.negotiate(accepted.toLowerCase()) ?? "identity";
}
