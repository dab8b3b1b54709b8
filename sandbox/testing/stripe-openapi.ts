import { readFileSync } from "node:fs";
import { Ajv, type AnySchema, type ValidateFunction } from "ajv";
import { decodeForm, type Form } from "#sandbox/form-encoding.ts";

type Schema = {
  type?: string;
  $ref?: string;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  items?: Schema;
};
type Operation = {
  parameters?: { name: string; schema: Schema }[];
  requestBody?: {
    content: {
      "application/x-www-form-urlencoded"?: { schema: Schema };
      "application/json"?: { schema: Schema };
      "multipart/form-data"?: { schema: Schema };
    };
  };
  responses: { 200: { content: { "application/json": { schema: Schema } } } };
};

/** A part of Stripe's published OpenAPI description (decisions/stripe). */
const description = JSON.parse(
  readFileSync(new URL("./stripe-openapi-extract.json", import.meta.url), "utf8"),
) as {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export const describedVersion = description.info.version;

const { schemas } = description.components;

const answers = newAjv();
// Coerces types, because parameters arrive as text.
const requests = newAjv({ coerceTypes: "array" });

function newAjv(options = {}): Ajv {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, ...options });
  ajv.addFormat("unix-time", { type: "number", validate: (at: number) => at > 1_000_000_000 });
  ajv.addFormat("currency", /^[a-z]{3}$/);
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const definitions = Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]);
  return ajv.addSchema({ $id: "stripe", $defs: Object.fromEntries(definitions) });
}

/** Converts a schema. A reference to a schema that the extract lacks matches nothing. */
function toJsonSchema({ nullable, ...schema }: Schema): AnySchema {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return Object.hasOwn(schemas, name) ? { $ref: `stripe#/$defs/${name}` } : false;
  }
  const { properties, anyOf, items, additionalProperties } = schema;
  const converted = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, toJsonSchema(value)]),
      ),
      additionalProperties: additionalProperties ?? false,
    }),
    ...(anyOf && { anyOf: anyOf.map(toJsonSchema) }),
    ...(items && { items: toJsonSchema(items) }),
  };
  return nullable ? { anyOf: [{ type: "null" }, converted] } : converted;
}

export type Exchange = {
  method: string;
  url: URL;
  body: string;
  status: number;
  answer: { data?: { object: string }[] };
};

export function recordingFetch(exchanges: Exchange[], send = globalThis.fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!/^\/v[12]\//.test(new URL(String(input)).pathname)) return response;
    const answer = (await response.clone().json()) as Exchange["answer"];
    const { method = "GET", body } = init ?? {};
    const [url, { status }] = [new URL(String(input)), response];
    exchanges.push({ method, url, body: await formOf(body, init?.headers), status, answer });
    return response;
  };
}

/** Encodes a multipart form like other forms, with files' names instead of their contents. */
async function formOf(body: BodyInit | null | undefined, headers?: HeadersInit): Promise<string> {
  if (!(body instanceof Uint8Array)) return String(body ?? "");
  const sent = await new Response(body, { headers: new Headers(headers) }).formData();
  return new URLSearchParams(
    [...sent].map(([name, value]) => [name, typeof value === "string" ? value : value.name]),
  ).toString();
}

export function differencesOfExchange({ method, url, body, status, answer }: Exchange): string[] {
  const call = `${method} ${url.pathname}`;
  const asked = differencesOfRequest(call, body || url.search.slice(1));
  const error = url.pathname.startsWith("/v2/") ? "v2.error" : "error";
  const differing =
    status < 400 ? differencesOfSuccess(call, answer) : differencesFrom(error, answer);
  return [...asked, ...differing].map((difference) => `${call}: ${difference}`);
}

function differencesOfSuccess(call: string, answer: Exchange["answer"]): string[] {
  const content = findOperation(call)?.responses[200].content;
  if (!content) return [];
  const events = (answer.data ?? []).filter(({ object }) => object === "event");
  return [
    ...differences(answers, toJsonSchema(content["application/json"].schema), answer),
    ...events.flatMap(differencesOfEvent),
  ];
}

export function differencesOfEvent(event: { object: string }): string[] {
  if (event.object === "v2.core.event") return differencesFrom("v2.core.event", event);
  const { object } = (event as unknown as { data: { object: { object: string } } }).data;
  return [...differencesFrom("event", event), ...differencesFrom(object.object, object)];
}

/** `name` is one of Stripe's schemas, such as `dispute`. */
export function differencesFrom(name: string, value: unknown): string[] {
  if (!Object.hasOwn(schemas, name)) throw new Error(`The extract has no schema ${name}.`);
  return differences(answers, { $ref: `stripe#/$defs/${name}` }, value);
}

export function differencesOfRequest(call: string, encoded: string): string[] {
  const operation = findOperation(call);
  if (!operation) return ["the extract does not have this call"];
  const { parameters = [], requestBody } = operation;
  const content = requestBody?.content;
  // The library sends `{}` for version 2 calls without parameters.
  if (!content && encoded === "{}") return [];
  const json = content?.["application/json"];
  if (json) return differences(answers, toJsonSchema(json.schema), JSON.parse(encoded));
  const encoding =
    content?.["application/x-www-form-urlencoded"] ?? content?.["multipart/form-data"];
  const form = encoding?.schema ?? { type: "object" };
  const query = parameters.map(({ name, schema }) => [name, schema]);
  const properties = { ...form.properties, ...Object.fromEntries(query) };
  return differences(
    requests,
    toJsonSchema({ ...form, properties }),
    toParams(decodeForm(encoded)),
  );
}

/** Converts `types[0]=a` to a list. */
function toParams(form: Form | string): unknown {
  if (typeof form === "string") return form;
  const entries = Object.entries(form).map(([key, value]) => [key, toParams(value)]);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Finds a call's operation. Its path may have parameters, as in `/v1/disputes/{dispute}`. */
function findOperation(call: string): Operation | undefined {
  const [method = "", path = ""] = call.split(" ");
  const template = Object.keys(description.paths).find(
    (one) => path === one || new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  return description.paths[template ?? ""]?.[method.toLowerCase()];
}

/** Cached by the schema's text, because compiling a schema costs far more than validating. */
const validators = new Map<string, ValidateFunction>();

function differences(ajv: Ajv, schema: AnySchema, value: unknown): string[] {
  const key = JSON.stringify([ajv === requests, schema]);
  const validate = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || "/", message, JSON.stringify(params)].join(" "),
  );
}
