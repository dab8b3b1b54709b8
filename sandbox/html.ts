/** A piece of a page that is safe to send: what came from outside in it has been escaped. */
export type Html = { html: string };

type Part = string | number | Html | Html[] | undefined;

/** Writes a piece of a page; text is escaped, pieces of pages are taken as they are. */
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

/** A whole page with one stylesheet. It runs no script. */
export function page({ title, style, body }: { title: string; style: string; body: Html }): string {
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
