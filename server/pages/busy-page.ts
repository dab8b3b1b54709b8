import type { FastifyReply } from "fastify";
import type { Overloaded } from "../errors.ts";
import { uncacheable } from "../http/security-headers.ts";
import type { RenderedResponse } from "../public-cache/cached-response.ts";

type Busy = Pick<Overloaded, "message" | "retryAfter">;

/** Builds a 503 page at little cost. The page reloads itself after `retryAfter` seconds. */
export function busyPage({ message, retryAfter }: Busy): RenderedResponse {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retryAfter}">
<title>We are busy</title>
<h1>We are busy</h1>
<p>${message}</p>
</html>
`;
  const headers = {
    "retry-after": String(retryAfter),
    "cache-control": uncacheable,
    "content-type": "text/html; charset=utf-8",
  };
  return { status: 503, headers, body };
}

export function sendBusyPage(reply: FastifyReply, busy: Busy) {
  const { status, headers, body } = busyPage(busy);
  return reply.code(status).headers(headers).send(body);
}
