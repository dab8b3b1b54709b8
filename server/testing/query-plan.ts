import type pg from "pg";
import type { Statement } from "./captured-statements.ts";

/** A node of a plan, as PostgreSQL explains it. */
type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Plan Rows": number;
  Plans?: PlanNode[];
};

/** A scan of a table; `limited`: below a Limit, so that it may end early. */
export type Scan = { table: string; index?: string; how: string; rows: number; limited: boolean };

/** The scans that read a table from end to end: sequential ones, and index scans without a condition. */
export async function fullScansOf(
  pool: Pick<pg.Pool, "query">,
  { text, values }: Statement,
): Promise<Scan[]> {
  const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `explain (format json) ${text}`,
    values,
  );
  return rows.flatMap((row) => fullScans(row["QUERY PLAN"][0].Plan, false));
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
