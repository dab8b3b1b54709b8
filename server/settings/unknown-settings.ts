/** An unknown name with such a prefix is a typo. Other programs use `OTEL_` and `GOOGLE_` too. */
const families = /^(CDN|FEE|IMAGE_HOST|INVITE|METRICS|OIDC|S3|SMTP|STRIPE)_/;

const maxTypos = 2;
/** Shorter settings without a family are not suggested: HOST resembles too many other names. */
const minLength = 6;

/** Returns a sentence for each likely typo, such as `FEE_PERCNT`, that suggests a setting. */
export function unknownSettings(env: Record<string, unknown>, known: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = nearestSetting(name, known);
      return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
    });
}

function nearestSetting(name: string, known: readonly string[]): string | undefined {
  const family = families.exec(name)?.[0];
  const candidates = known
    .filter((other) => (family ? other.startsWith(family) : hasSimilarLength(name, other)))
    .map((other) => ({ other, typos: countTypos(name, other) }))
    .toSorted((a, b) => a.typos - b.typos);
  const [nearest] = candidates;
  return nearest && (family || nearest.typos <= maxTypos) ? nearest.other : undefined;
}

/** Cheaply excludes most names: `countTypos` is slow, and every start checks all variables. */
function hasSimilarLength(name: string, other: string): boolean {
  return other.length >= minLength && Math.abs(other.length - name.length) <= maxTypos;
}

/** The Levenshtein distance. */
function countTypos(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const dropped = (previous[column + 1] ?? 0) + 1;
      current.push(Math.min(replaced, dropped, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
