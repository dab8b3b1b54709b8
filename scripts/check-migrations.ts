import type {
  AlterTableCmd,
  AlterTableStmt,
  ColumnDef,
  Constraint,
  DropStmt,
  IndexStmt,
  Node,
  ParseResult,
  VariableSetStmt,
} from "libpg-query";
import { loadModule, parseSync } from "libpg-query";

/** A comment that excuses the next statement. A reason must follow. */
const excuse = /-- May block: \S/;
/** Nodes running the previous version keep using a migrated database (decisions/database). */
const oldNodes = "nodes of the previous version still use it";

await loadModule();

/**
 * Finds statements that hold a strong lock while a table is read or written, or that remove what
 * the previous version uses. Tables that the migration creates are exempt.
 */
export function blockingStatements(sql: string): string[] {
  const { stmts = [] } = parseSync(sql) as ParseResult;
  const migration = readMigration(stmts.flatMap(({ stmt }) => stmt ?? []));
  const found: string[] = [];
  let end = 0;
  for (const { stmt, stmt_location: start = 0, stmt_len: length = 0 } of stmts) {
    const isExcused = excuse.test(sql.slice(end, start));
    end = start + length;
    if (stmt && !isExcused) found.push(...findingsOf(stmt, migration));
  }
  return found;
}

type Migration = { tables: ReadonlySet<string>; constraints: ReadonlySet<string> };

function readMigration(stmts: readonly Node[]): Migration {
  const tables = stmts.flatMap((stmt) => tableOf(stmt, "CreateStmt") ?? []);
  const constraints = stmts.flatMap(changesOf).flatMap(({ subtype, def }) => {
    const name = subtype === "AT_AddConstraint" && constraintOf(def).conname;
    return name ? [name] : [];
  });
  return { tables: new Set(tables), constraints: new Set(constraints) };
}

function changesOf(stmt: Node): AlterTableCmd[] {
  const { cmds = [] } = (stmt as { AlterTableStmt?: AlterTableStmt }).AlterTableStmt ?? {};
  return cmds.map((node) => (node as { AlterTableCmd: AlterTableCmd }).AlterTableCmd);
}

function constraintOf(node: Node | undefined): Constraint {
  return (node as { Constraint: Constraint }).Constraint;
}

function findingsOf(stmt: Node, { tables, constraints }: Migration): string[] {
  const [[kind, content] = ["", {}]] = Object.entries(stmt);
  const table = tableOf(stmt, kind);
  if (table !== undefined && tables.has(table)) return [];
  const find = finders[kind];
  const found = find
    ? find(content as never)
    : changesOf(stmt).flatMap((change) => findingsOfChange(change, constraints));
  return found.map((finding) => `${table ?? kind}: ${finding}`);
}

function tableOf(stmt: Node, kind: string): string | undefined {
  const content = (stmt as Record<string, { relation?: { relname?: string } }>)[kind];
  return content?.relation?.relname;
}

const written = () => ["write rows in a job, in batches; here all are locked until the commit"];

const finders: Record<string, (content: never) => string[]> = {
  IndexStmt: ({ concurrent }: IndexStmt) =>
    concurrent ? [] : ["create the index concurrently, in a migration of its own"],
  RenameStmt: () => [`don't rename; ${oldNodes}`],
  DropStmt: ({ removeType, concurrent }: DropStmt) => findingsOfDrop(removeType, concurrent),
  UpdateStmt: written,
  DeleteStmt: written,
  TruncateStmt: written,
  DoStmt: () => ["write the statements themselves; what is in a DO block can't be checked"],
  LockStmt: () => ["don't lock a table"],
  ClusterStmt: () => ["don't rewrite a table"],
  VacuumStmt: () => ["leave this to autovacuum"],
  VariableSetStmt: ({ name }: VariableSetStmt) =>
    name === "lock_timeout" ? ["leave lock_timeout to migrate.ts"] : [],
  ReindexStmt: () => ["create a new index concurrently, then drop the old one"],
};

function findingsOfDrop(removeType?: string, concurrent?: boolean): string[] {
  // The migration may create the trigger or function again in the same transaction.
  if (removeType === "OBJECT_TRIGGER" || removeType === "OBJECT_FUNCTION") return [];
  if (removeType === "OBJECT_INDEX")
    return concurrent ? [] : ["drop the index concurrently, in a migration of its own"];
  return [`drop it in a later version; ${oldNodes}`];
}

const changes: Record<string, string> = {
  AT_AlterColumnType: "add another column instead; this rewrites the table",
  AT_SetNotNull: "add a check (… is not null) not valid, and validate it in another migration",
  AT_DropColumn: `drop the column in a later version; ${oldNodes}`,
  AT_SetLogged: "don't rewrite a table",
  AT_SetUnLogged: "don't rewrite a table",
  AT_SetAccessMethod: "don't rewrite a table",
};

function findingsOfChange(
  { subtype = "AT_AddColumn", name = "", def }: AlterTableCmd,
  added: ReadonlySet<string>,
): string[] {
  if (subtype === "AT_AddConstraint") return findingsOfConstraint(constraintOf(def));
  if (subtype === "AT_AddColumn")
    return findingsOfColumn((def as { ColumnDef: ColumnDef }).ColumnDef);
  if (subtype === "AT_ValidateConstraint" && added.has(name))
    return ["validate it in another migration; adding it locks the table until the commit"];
  const finding = changes[subtype];
  return finding === undefined ? [] : [finding];
}

function findingsOfConstraint({ contype, skip_validation, indexname }: Constraint): string[] {
  if (contype === "CONSTR_CHECK" || contype === "CONSTR_FOREIGN")
    return skip_validation
      ? []
      : ["add the constraint not valid, and validate it in another migration"];
  if (indexname !== undefined) return [];
  return ["create a unique index concurrently, and add the constraint using it"];
}

function findingsOfColumn({ constraints = [] }: ColumnDef): string[] {
  const of = constraints.map(constraintOf);
  const defaults = of.find(({ contype }) => contype === "CONSTR_DEFAULT");
  return of.flatMap(({ contype }) => {
    if (contype === "CONSTR_NOTNULL" && !defaults)
      return ["give a new column that is not null a default; old nodes don't write it"];
    if (contype === "CONSTR_DEFAULT" && !isConstant(defaults?.raw_expr))
      return ["add the column with a constant as its default; others rewrite the table"];
    if (contype === "CONSTR_GENERATED" || contype === "CONSTR_IDENTITY")
      return ["add a plain column; this rewrites the table"];
    if (contype === "CONSTR_CHECK" || contype === "CONSTR_FOREIGN")
      return ["add the column without its constraint, then the constraint not valid"];
    if (contype === "CONSTR_UNIQUE" || contype === "CONSTR_PRIMARY")
      return ["create a unique index concurrently, and add the constraint using it"];
    return [];
  });
}

/** Whether all rows get one value. PostgreSQL evaluates `now()` only once (ALTER TABLE, Notes). */
function isConstant(expression: Node | undefined): boolean {
  const text = JSON.stringify(expression);
  return !text.includes('"FuncCall"') || /"funcname":\[\{"String":\{"sval":"now"\}\}\]/.test(text);
}
