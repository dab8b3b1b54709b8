import type { Schema } from "./schema-arbitraries.ts";

export type Edge = { path: string[]; value: unknown };

/** Returns edge values for each field, chosen to break checks and database columns. */
export function edgesOf(schema: Schema, path: string[] = []): Edge[] {
  const inside = [
    ...(schema.anyOf ?? []).flatMap((one) => edgesOf(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      edgesOf(one, [...path, name]),
    ),
  ];
  const types = [schema.type ?? []].flat();
  const values = types.flatMap((type) => valuesOf(type, schema, path.at(-1) ?? ""));
  return [...values.map((value) => ({ path, value })), ...inside];
}

function valuesOf(type: string, schema: Schema, name: string): unknown[] {
  if (schema.enum) return schema.enum;
  if (type === "number" || type === "integer") return numbers(schema);
  if (type === "string") return name === "search" ? queries : texts(schema);
  if (type === "array") return [[], Array(schema.maxItems ?? 100).fill("x")];
  return [];
}

/** The largest price whose cents fit a four-byte column, and a price above that limit. */
const cents = [21_474_836.47, 21_474_837];

function numbers({ minimum, maximum }: Schema): number[] {
  const ends = [minimum, maximum].filter((end) => end !== undefined);
  return [...new Set([...ends, 0, 0.01, -1, ...cents, 2 ** 31, 2 ** 53, 1e300])];
}

/** A character that search normalization expands to 18 characters. */
const wide = "\ufdfa";

const sentences = [
  "laptop under $21474837",
  `over $${"9".repeat(150)}k`,
  "8.5 or 16 gb",
  "99999999999 gb ram",
  ...[wide.repeat(200), "a ".repeat(100), "1,".repeat(100), "\0 laptop", "-".repeat(200)],
];

function texts({ maxLength = 200 }: Schema): string[] {
  const maxCharacters = Math.min(maxLength, 5_000);
  return ["", "\0", "\ud800", wide.repeat(maxCharacters), "9".repeat(maxCharacters), ...sentences];
}

const queries = sentences.map((q) => new URLSearchParams({ q }).toString());

export function withEdge<T>(whole: T, { path, value }: Edge): T {
  const [name, ...rest] = path;
  if (name === undefined) return value as T;
  const object = (whole ?? {}) as Record<string, unknown>;
  return { ...object, [name]: withEdge(object[name], { path: rest, value }) } as T;
}
