import type { FastifyReply } from "fastify";

export type Html = { html: string };

type Part = string | number | Html | Html[] | undefined;

/** Escapes text and inserts nested `Html` unchanged. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const filled = strings.map((string, index) => string + write(parts[index]));
  return { html: filled.join("") };
}

function write(part: Part): string {
  if (part === undefined) return "";
  if (Array.isArray(part)) return part.map(write).join("");
  if (typeof part === "object") return part.html;
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

type Page = { title: string; style?: string; body: Html };

export function page({ title, style = "/pages.css", body }: Page): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${style}">
  </head>
  <body>${body}</body>
</html>
`.html;
}

/** Sends a page. `form-action` must include the shop's origin, because it also limits redirects. */
export function sendPage(reply: FastifyReply, html: string, shopOrigin = ""): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self' ${shopOrigin}`,
  ];
  return reply
    .headers({
      "cache-control": "no-store",
      "content-security-policy": policy.join("; ").trimEnd(),
      // With no-referrer, browsers would send "Origin: null" with a form (stripe/clock-page.ts).
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    })
    .type("text/html; charset=utf-8")
    .send(html);
}
