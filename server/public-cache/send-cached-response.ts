import type { FastifyReply, FastifyRequest } from "fastify";
import type { CachedResponse, Encoding } from "./public-cache.ts";

/** Sends a kept public answer in the encoding the client takes, or 304 where it has it already. */
export function sendCachedResponse(
  answer: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const etag = `"${answer.etag}-${encoding}"`;
  reply.headers({
    ...answer.headers,
    etag,
    vary: "accept-encoding",
    "cache-control": "public, no-cache",
  });
  if (answer.status === 200 && has(request.headers["if-none-match"], etag))
    return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.code(answer.status).send(answer.bytes[encoding]);
}

function chooseEncoding(accepted: string | undefined): Encoding {
  const offers = (accepted ?? "").split(",").map((offer) => offer.trim().toLowerCase());
  const takes = (name: string) =>
    offers.some((offer) => offer.split(";")[0] === name && !/;\s*q=0(\.0*)?$/.test(offer));
  return takes("br") ? "br" : takes("gzip") ? "gzip" : "identity";
}

function has(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
