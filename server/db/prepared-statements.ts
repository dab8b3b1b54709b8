import { createHash } from "node:crypto";

/** A statement for `pg`; one with a name is parsed once for each connection, and planned at most a few times. */
export type Statement = { text: string; values?: unknown[]; name?: string };

/** Each connection keeps what it has prepared. The program sends 300 texts; only lists of values make more. */
const maxPrepared = 500;

/**
 * Returns a function for the statements of one pool: it names a statement by a hash of its text, so that it is
 * prepared. Behind a pooler nothing is (decisions/pooler-and-replicas). Not one without parameters, which `pg` sends
 * in the simple protocol, and not one with `*`: a prepared one fails after a migration has added a column.
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
