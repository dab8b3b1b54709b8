/** Cuts a text after a word. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most - 1).replace(/[\s.,;:·–]+\S*$|[\uD800-\uDBFF]$/, "");
  return `${start}…`;
}
