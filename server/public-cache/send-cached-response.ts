import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CachedResponse, Encoding } from "./public-cache.ts";

const encodings = ["br", "gzip", "identity"];

/** Sends a cached response in an encoding the client accepts, or 304 if its ETag matches. */
export function sendCachedResponse(
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const etag = `"${response.etag}-${encoding}"`;
  reply.headers({
    ...response.headers,
    etag,
    vary: "accept-encoding",
    "cache-control": "public, no-cache",
  });
  if (response.status === 200 && matches(request.headers["if-none-match"], etag))
    return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.code(response.status).send(response.bytes[encoding]);
}

function chooseEncoding(accepted = ""): Encoding {
  return (negotiate(accepted.toLowerCase(), encodings) as Encoding | null) ?? "identity";
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
