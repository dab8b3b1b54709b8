/** Singular and plural are one token. Applied to listings and queries alike, so it need not be a real word. */
export function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** A longer word can't be a token of PostgreSQL, and no buyer types it. */
const longest = 60;

/**
 * The parts of a word, and the word without its punctuation: "x-360" is found as "x360", "20xw-00a1us" as
 * "20xw00a1us".
 */
export function wordTokens(word: string): { whole: string; parts: string[] } {
  const parts = word.split(/['./-]+/).filter((part) => part !== "");
  return {
    whole: stem(parts.join("")).slice(0, longest),
    parts: parts.map((part) => stem(part).slice(0, longest)),
  };
}

/** Whether two neighbouring words are also written as one: "t 480", "xps 13", "x1 carbon". */
export function joined(first: string, second: string): string | undefined {
  const together = `${first}${second}`;
  return /\d/.test(together) && together.length <= 20 ? together : undefined;
}
