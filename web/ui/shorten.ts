/** Cuts a text after a word, to at most `most` characters including the ellipsis. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most - 1).replace(/[\s.,;:·–]+\S*$|[\uD800-\uDBFF]$/, "");
  return `${start}…`;
}
