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
