/** An email names this many things. */
const maxNamed = 20;

/** The first of the lines of an email, and how many more there are. */
export function nameFirst(lines: string[]): string[] {
  const more = lines.length - maxNamed;
  return more > 0 ? [...lines.slice(0, maxNamed), `And ${more} more.`] : lines;
}
