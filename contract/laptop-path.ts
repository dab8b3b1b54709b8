/** The path of a laptop's page: its id, and its name for readers and search engines. */
export function laptopPath(id: string, name: string): string {
  return `/laptops/${[id, ...wordsOf(name)].join("-")}`;
}

/** At most twelve words in ASCII: "ThinkPad X1, 16 GB" is thinkpad, x1, 16 and gb. */
function wordsOf(name: string): string[] {
  const ascii = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return (ascii.match(/[a-z0-9]+/g) ?? []).slice(0, 12);
}
