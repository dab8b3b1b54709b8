import type { FastifyReply } from "fastify";
import type { Overloaded } from "../errors.ts";

/** Answers 503 with a page that costs nothing to make. It reloads itself when the client may retry. */
export function sendBusyPage(reply: FastifyReply, { message, retryAfter }: Overloaded) {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retryAfter}">
<title>Secondlap is busy</title>
<h1>Secondlap is busy</h1>
<p>${message}</p>
</html>
`;
  return reply
    .code(503)
    .headers({ "retry-after": String(retryAfter), "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(html);
}
