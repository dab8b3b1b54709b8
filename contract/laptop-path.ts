/** The path of a laptop's page, with the laptop's name for people and search engines. */
export function laptopPath(id: string, name: string): string {
  return `/laptops/${[id, ...wordsOf(name)].join("-")}`;
}

/** At most twelve ASCII words: "ThinkPad X1, 16 GB" becomes thinkpad, x1, 16 and gb. */
function wordsOf(name: string): string[] {
  const ascii = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return (ascii.match(/[a-z0-9]+/g) ?? []).slice(0, 12);
}
