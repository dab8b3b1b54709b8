import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type CachedResponse, type Encoding, encodings } from "./cached-response.ts";

/** Sends a cached response in an encoding that the client accepts, or 304 if the ETag matches. */
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

const chosen = new Map<string, Encoding>();

export function chooseEncoding(accepted = ""): Encoding {
  const known = chosen.get(accepted);
  if (known) return known;
  const found = negotiate(accepted.toLowerCase(), [...encodings]) as Encoding | null;
  const encoding = found ?? "identity";
  // The map stays small, because browsers send only a handful of values.
  if (chosen.size < 100 && accepted.length < 100) chosen.set(accepted, encoding);
  return encoding;
}
