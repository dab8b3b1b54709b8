import { createHash } from "node:crypto";

/** A statement for `pg`. With a name, it is parsed once per connection and planned only a few times. */
export type Statement = { text: string; values?: unknown[]; name?: string };

/**
 * Limits the memory of each connection. The program sends about 300 texts; only value lists of
 * varying length add more.
 */
const maxPrepared = 500;

/**
 * Returns a function that names the statements of one pool by a hash of their text, so that they are
 * prepared. It is not used behind a pooler (decisions/pooler-and-replicas). It skips statements
 * without parameters, which `pg` sends in the simple protocol. It also skips statements with `*`:
 * they would fail after a migration added a column.
 */
export function createPreparer(): (statement: Statement) => Statement {
  const names = new Map<string, string>();
  return ({ text, values }) => {
    if (!values?.length || /\b(select|returning) \*|\.\*/.test(text))
      return { text, ...(values && { values }) };
    if (!names.has(text) && names.size < maxPrepared) names.set(text, hashOf(text));
    const name = names.get(text);
    return { text, values, ...(name !== undefined && { name }) };
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
