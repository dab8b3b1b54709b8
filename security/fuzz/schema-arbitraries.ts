import fc from "fast-check";

/** The JSON Schema keywords that the fuzz tests read. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
};

/** Existing values by property name, such as booking IDs. */
export type Known = (name: string) => unknown[];

/** Generates mostly known values, if there are any, and otherwise values of the schema's type. */
export function fitting(schema: Schema, known: Known, name = ""): fc.Arbitrary<unknown> {
  const made = make(schema, known, name);
  const there = known(name);
  if (there.length === 0) return made;
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...there) },
    { weight: 1, arbitrary: made },
  );
}

function make(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => make(one, known, name)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  // A schema without a type allows anything.
  if (schema.type === undefined) return fc.jsonValue();
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType({ ...schema, type }, known, name)));
}

function ofType(
  schema: Schema & { type: string },
  known: Known,
  name: string,
): fc.Arbitrary<unknown> {
  const { minimum: min = -1_000_000, maximum: max = 1_000_000 } = schema;
  switch (schema.type) {
    case "string":
      return ofText(schema);
    case "integer":
      return fc.integer({ min, max: Math.min(max, 1_000_000_000) });
    case "number":
      return fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
        fc.double({ min, max, noNaN: true }),
        fc.constantFrom(min, max),
      );
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(fitting(schema.items ?? {}, known, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case "object":
      return ofObject(schema, known);
    default:
      return fc.constant(null);
  }
}

function ofObject({ properties = {}, required = [] }: Schema, known: Known) {
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    fitting(schema, known, name),
  ]);
  return fc.record<Record<string, unknown>>(Object.fromEntries(values), {
    requiredKeys: required as never[],
  });
}

function ofText({ pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  if (pattern?.includes("0-9a-fA-F")) return fc.uuid();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const length = { minLength, maxLength: Math.min(maxLength, 300) };
  return fc.oneof(fc.string(length), fc.string({ ...length, unit: "binary" }), trickyText);
}

export const trickyText = fc.constantFrom(
  "\0",
  "a\0b",
  "\ud800",
  "\u202egnp.exe",
  "\ufeff",
  " ",
  "\r\nSet-Cookie: a=b",
  "' or '1'='1",
  "%00",
  "%",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "ｂｕｙｅｒ＠example.com",
  "a@b.c",
  "1e400",
  "0x10",
  "-0",
  "9".repeat(400),
  "😀".repeat(100),
  "0000-01-01T00:00:00Z",
);
