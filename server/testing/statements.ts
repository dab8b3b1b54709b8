import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

/** `source` is the call or job that sent the statement, or "background". */
export type Statement = { text: string; values: unknown[]; source: string };

export type Capture = {
  /** The latest statement for each SQL text. */
  statements: Map<string, Statement>;
  during<T>(source: string, work: () => T): T;
  /** Runs a fixture, whose statements are not captured. */
  without<T>(work: () => T): T;
};

const fixture = Symbol("fixture");

export function captureStatements(pool: pg.Pool): Capture {
  const sources = new AsyncLocalStorage<string | typeof fixture>();
  const statements = new Map<string, Statement>();

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

  wrapQueries(pool, (send) => (...sent) => {
    record(sent[0], sent[1]);
    return send(...sent);
  });
  return {
    statements,
    during: (source, work) => sources.run(source, work),
    without: (work) => sources.run(fixture, work),
  };
}

/** Counts round trips. A statement sent while its connection runs another one adds none. */
export function countRoundTrips(pool: pg.Pool): () => number {
  let count = 0;
  wrapQueries(pool, (send) => {
    let running = 0;
    const end = () => {
      running -= 1;
    };
    return (...sent) => {
      if (running === 0) count += 1;
      running += 1;
      const answer = send(...sent);
      answer.then(end, end);
      return answer;
    };
  });
  return () => count;
}

type Send = (...sent: unknown[]) => Promise<unknown>;

function wrapQueries(pool: pg.Pool, wrap: (send: Send) => Send): void {
  const wrapped = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    Object.assign(client, { query: wrap(client.query.bind(client) as Send) });
  });
}

type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Plan Rows": number;
  "Total Cost": number;
  Plans?: PlanNode[];
};

/** `limited`: the scan is below a Limit node and may end early. */
export type Scan = { table: string; index?: string; how: string; rows: number; limited: boolean };

/** Lists a statement's full scans: sequential scans, and index scans without a condition. */
export async function fullScansOf(
  pool: Pick<pg.Pool, "query">,
  { text, values }: Statement,
): Promise<Scan[]> {
  const plan = await explain(pool, { sql: `explain (format json) ${text}`, values });
  const scans = fullScans(plan, false);
  if (values.length === 0) return scans;
  // PostgreSQL uses the generic plan unless planning for these parameters costs less.
  const generic = await explain(pool, { sql: `explain (generic_plan, format json) ${text}` });
  return generic["Total Cost"] > margin * (plan["Total Cost"] + planningCost(plan))
    ? scans
    : [...scans, ...fullScans(generic, false)];
}

/**
 * Safety margin. PostgreSQL compares the generic plan with the average of five plans, and
 * `fullScansOf` sees only one of them.
 */
const margin = 2;

/** Estimates the planning cost: 5 per node. PostgreSQL counts 2.5 per table, join or subquery. */
function planningCost({ Plans = [] }: PlanNode): number {
  return Plans.reduce((sum, below) => sum + planningCost(below), 2 * 2.5);
}

async function explain(
  pool: Pick<pg.Pool, "query">,
  { sql, values }: { sql: string; values?: unknown[] },
): Promise<PlanNode> {
  const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(sql, values);
  const [row] = rows;
  if (!row) throw new Error(`no plan: ${sql}`);
  return row["QUERY PLAN"][0].Plan;
}

function fullScans(node: PlanNode, limited: boolean): Scan[] {
  const how = node["Node Type"];
  const below = (node.Plans ?? []).flatMap((child) =>
    fullScans(child, (limited && streams(how)) || how === "Limit"),
  );
  const isFull = how === "Seq Scan" || (/^(Bitmap )?Index/.test(how) && !node["Index Cond"]);
  if (!isFull) return below;
  const index = node["Index Name"];
  const table = node["Relation Name"] ?? index ?? "";
  return [{ table, ...(index && { index }), how, rows: node["Plan Rows"], limited }, ...below];
}

/** Whether a node returns rows before it has read all of its input. */
function streams(how: string): boolean {
  return !/^(Sort|Aggregate|Hash|Bitmap)/.test(how);
}
