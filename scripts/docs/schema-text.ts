/** The subset of JSON Schema that the contract's types use. */
export type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  format?: string;
  contentMediaType?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
};

/** A type on one line, in TypeScript's syntax. */
export function typeOf(schema: Schema): string {
  if (schema.properties) return `\`{ ${members(schema).join(", ")} }\``;
  return `\`${plain(schema)}\``;
}

/** The fields of an object. Optional fields have a question mark, and ignored fields are marked. */
export function fieldsOf(schema: Schema): string[] {
  return members(schema).map((field) => `\`${field}\``);
}

/** A section for each named type. */
export function namedTypes(types: Record<string, Schema>): string[] {
  return Object.entries(types).map(
    ([name, schema]) =>
      `### ${name}\n\n${fieldsOf(schema)
        .map((field) => `- ${field}`)
        .join("\n")}`,
  );
}

function members({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${name}${optional}: ${plain(schema)}${defaultOf(schema)}`;
  });
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? "" : ` = ${JSON.stringify(schema.default)}`;
}

function plain(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(plain).join(" | ");
  if (schema.type === "array") return listOf(schema.items ?? {});
  if (schema.properties) return `{ ${members(schema).join(", ")} }`;
  if (schema.contentMediaType) return schema.contentMediaType;
  if (schema.format === "uuid") return "id";
  if (schema.format === "date-time") return "date";
  return [schema.type ?? "ignored"].flat().join(" | ");
}

function listOf(items: Schema): string {
  return items.enum || items.anyOf ? `(${plain(items)})[]` : `${plain(items)}[]`;
}
