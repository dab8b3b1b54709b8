import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

/** `source` is the call or job that sent the statement. */
export type Statement = { text: string; values: unknown[]; source: string };

export type Capture = {
  /** The latest statement for each SQL text. */
  statements: Map<string, Statement>;
  during<T>(source: string, work: () => T): T;
  /** The statements of a fixture are not captured. */
  without<T>(work: () => T): T;
};

const fixture = Symbol("fixture");

export function captureStatements(pool: pg.Pool): Capture {
  const sources = new AsyncLocalStorage<string | typeof fixture>();
  const statements = new Map<string, Statement>();
  const wrapped = new WeakSet<object>();

  function record(query: unknown, parameters: unknown): void {
    const source = sources.getStore() ?? "background";
    if (source === fixture) return;
    const { text, values } =
      typeof query === "string"
        ? { text: query, values: parameters }
        : (query as { text: string; values?: unknown });
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return;
    statements.set(text, { text, values: Array.isArray(values) ? values : [], source });
  }

  pool.on("acquire", (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const send = client.query.bind(client) as (...sent: unknown[]) => unknown;
    const query = (...sent: unknown[]) => {
      record(sent[0], sent[1]);
      return send(...sent);
    };
    Object.assign(client, { query });
  });
  return {
    statements,
    during: (source, work) => sources.run(source, work),
    without: (work) => sources.run(fixture, work),
  };
}
