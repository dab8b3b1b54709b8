/** Cuts a text after a word, to at most `most` characters including the ellipsis. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength - 1).replace(/[\s.,;:·–]+\S*$|[\uD800-\uDBFF]$/, "");
  return `${start}…`;
}
