/** Cuts a text, if possible after a word. `maxLength` includes the ellipsis. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength - 1).replace(/[\s.,;:·–]+\S*$|[\uD800-\uDBFF]$/, "");
  return `${start}…`;
}
