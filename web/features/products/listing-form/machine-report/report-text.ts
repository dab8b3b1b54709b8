const maxLines = 20_000;
const maxLineLength = 400;

/** Limits the number and length of the lines, so that patterns match them in little time. */
export function linesOf(text: string): string[] {
  return text.split("\n", maxLines).map((line) => line.slice(0, maxLineLength).trimEnd());
}

/** A line "key: value" or "key<tab>value". `key` and `section` are lowercase, without accents. */
export type Row = { section: string; key: string; value: string };

/** `heading` matches a line that starts a section; its first group is the section's name. */
export function rowsOf(text: string, heading = /^$/): Row[] {
  let section = "";
  return linesOf(text).flatMap((line) => {
    const found = heading.exec(line)?.[1];
    if (found !== undefined) section = fold(found);
    const at = separatorOf(line);
    if (at === undefined) return [];
    return [{ section, key: fold(line.slice(0, at)), value: line.slice(at + 1).trim() }];
  });
}

function separatorOf(line: string): number | undefined {
  const start = line.search(/\S/);
  const at = [line.indexOf("\t", start), line.indexOf(":")].filter((found) => found > 0);
  return at.length === 0 ? undefined : Math.min(...at);
}

function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").trim().toLowerCase();
}

export function firstValue(rows: Row[], key: RegExp, section = /./s): string | undefined {
  return rows.find(
    (row) => row.value !== "" && key.test(row.key) && section.test(row.section || "-"),
  )?.value;
}

/** An object's texts and numbers by key, as text. Nested objects are separate. */
type JsonObject = Map<string, string>;

/** An unclosed object with the key that still needs a value, or an unclosed list. */
type Open = { object: JsonObject | undefined; key: string | undefined };

const maxDepth = 200;

/** Reads objects, outermost first, even from malformed or truncated JSON. Never throws. */
export function readObjects(json: string): JsonObject[] {
  const found: { object: JsonObject; depth: number }[] = [];
  const open: Open[] = [];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]|[^\s,:"{}[\]]+/gs)) {
    const innermost = open.at(-1);
    if (token === "}" || token === "]") open.pop();
    else if (token === "{" || token === "[") {
      if (innermost) innermost.key = undefined;
      if (open.length === maxDepth) continue;
      const object = token === "{" ? new Map<string, string>() : undefined;
      if (object) found.push({ object, depth: open.length });
      open.push({ object, key: undefined });
    } else if (innermost) place(innermost, token);
  }
  return found.toSorted((one, other) => one.depth - other.depth).map(({ object }) => object);
}

/** A string without a key becomes the next key. */
function place(innermost: Open, token: string): void {
  const { object, key } = innermost;
  const text = textOf(token);
  if (key === undefined) innermost.key = token.startsWith('"') ? text : undefined;
  else {
    if (text !== undefined) object?.set(key, text);
    innermost.key = undefined;
  }
}

/** Undefined if the value is neither a string nor a number. */
function textOf(token: string): string | undefined {
  if (!token.startsWith('"')) {
    const number = Number(token);
    return Number.isFinite(number) ? String(number) : undefined;
  }
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replaceAll('"', "");
  }
}
