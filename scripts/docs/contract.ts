import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { changesOf } from "#contract/call-resources.ts";
import { errorStatus } from "#contract/errors.ts";
import { fieldsOf, namedTypes, type Schema, typeOf } from "./schema-text.ts";

type Found = { file: string; name: string; value: unknown };

/** `docs/contract.md`: the preface, every call of the contract, and the response types. */
export async function contract(): Promise<string> {
  const found = await exportsOfContract();
  const types = registerTypes(found);
  const preface = readFileSync(join(import.meta.dirname, "contract-preface.md"), "utf8");
  const groups = Map.groupBy(
    Object.entries<Call>(table),
    ([name]) => found.find((one) => one.name === name)?.file ?? "",
  );
  const calls = [...groups].flatMap(([file, group]) => [
    `## ${titleOf(file)}`,
    ...group.map(([, call]) => callSection(call)),
  ]);
  return `${[preface.trim(), ...calls, "## Types", ...namedTypes(types)].join("\n\n")}\n`;
}

async function exportsOfContract(): Promise<Found[]> {
  const files = globSync("contract/*.ts")
    .filter((file) => !file.endsWith(".test.ts"))
    .sort();
  const modules = await Promise.all(
    files.map(async (file) => ({ file, module: await import(pathToFileURL(file).href) })),
  );
  return modules.flatMap(({ file, module }) =>
    Object.entries(module).map(([name, value]) => ({ file, name, value })),
  );
}

/** Registers exported objects by name, so that response types can refer to the names. */
function registerTypes(found: Found[]): Record<string, Schema> {
  const named = found.flatMap(({ file, name, value }) =>
    value instanceof z.ZodObject && !/call\.ts$/.test(file) && !/^new|(Form|Filter)$/.test(name)
      ? [[name, value] as const]
      : [],
  );
  for (const [name, schema] of named) z.globalRegistry.add(schema, { id: name });
  return Object.fromEntries(named.map(([name, schema]) => [name, jsonSchema(schema, "output")]));
}

function titleOf(file: string): string {
  const name = basename(file, ".ts");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function callSection(call: Call): string {
  const { method, path, summary, access, confirmed, transport, limit, answers, refusals } = call;
  const changes = changesOf(call);
  const errors = refusals.map((code) => `${errorStatus[code]} \`${code}\``);
  const lines = [
    `Access: **${access}**${confirmed ? ", with a confirmed email address where `CONFIRM_ADDRESSES` is `required`" : ""}`,
    ...parts("Path", call.params),
    ...parts("Query", call.query),
    ...parts("Body", call.body),
    ...(transport ? [`Body: ${bodyOf[transport]}`] : []),
    ...answerLines(answers).map((line) => `${line}${call.paged ? ", in pages" : ""}`),
    ...(errors.length > 0 ? [`Errors: ${errors.join(", ")}`] : []),
    ...(limit ? [`Limit: ${limit.most} in ${inWords(limit.minutes)}`] : []),
    ...(changes.length > 0 ? [`Changes: ${changes.join(", ")}`] : []),
  ];
  return [`### ${method} ${path}`, `${summary}.`, lines.map((line) => `- ${line}`).join("\n")].join(
    "\n\n",
  );
}

const bodyOf = { raw: "raw bytes", multipart: "multipart", form: "form fields, ignored" };

/** The lines that list a call's responses. Statuses with the same type share a line. */
function answerLines(answers: Call["answers"]): string[] {
  const types = Object.entries(answers).map(([status, schema]) => ({
    status,
    type: typeOf(jsonSchema(schema, "output")),
  }));
  const byType = Map.groupBy(types, ({ type }) => type);
  return [...byType].map(
    ([type, same]) => `${same.map(({ status }) => status).join(" or ")}: ${type}`,
  );
}

function parts(title: string, schema: z.ZodObject | undefined): string[] {
  if (!schema) return [];
  return [`${title}: ${fieldsOf(jsonSchema(schema, "input")).join(", ")}`];
}

function inWords(minutes: number): string {
  if (minutes === 60) return "an hour";
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return (root.$ref ? $defs[root.$ref.replace("#/$defs/", "")] : root) as Schema;
}
