type JsonObject = { [key: string]: Json };
type Json = string | number | boolean | null | Json[] | JsonObject;

const maxDepth = 200;

/** Reads all values of malformed JSON, such as lshw's, even if it is cut off. Never throws. */
export function readLenientJson(text: string): Json[] {
  const all: Json[] = [];
  const open: Open[] = [{ into: all, key: undefined }];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]|[^\s,:"{}[\]]+/gs)) {
    if (token === "}" || token === "]") {
      if (open.length > 1) open.pop();
    } else if (token === "{" || token === "[") {
      const into = token === "{" ? Object.create(null) : [];
      place(open, into);
      if (open.length < maxDepth) open.push({ into, key: undefined });
    } else place(open, scalarOf(token));
  }
  return all;
}

type Open = { into: Json[] | JsonObject; key: string | undefined };

/** Adds a value to the innermost list or object. A string without a key becomes the next key. */
function place(open: Open[], value: Json): void {
  const innermost = open.at(-1);
  if (!innermost) return;
  const { into, key } = innermost;
  if (Array.isArray(into)) into.push(value);
  else if (key !== undefined) {
    into[key] = value;
    innermost.key = undefined;
  } else if (typeof value === "string") innermost.key = value;
}

function scalarOf(token: string): Json {
  if (token.startsWith('"')) return unquoted(token);
  if (token === "true" || token === "false") return token === "true";
  const number = Number(token);
  return Number.isFinite(number) ? number : null;
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replaceAll('"', "");
  }
}

/** All objects in the values, outermost first. */
export function objectsIn(values: Json[]): JsonObject[] {
  const found: JsonObject[] = [];
  const left: Json[] = [...values];
  for (let at = 0; at < left.length; at += 1) {
    const value = left[at];
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) found.push(value);
    for (const inner of Object.values(value)) left.push(inner);
  }
  return found;
}

/** Undefined if the value is neither a string nor a number. */
export function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
