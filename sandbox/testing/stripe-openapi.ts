import { readFileSync } from "node:fs";
import { Ajv, type AnySchema } from "ajv";
import { decodeForm, type Form } from "#sandbox/stripe/form-encoding.ts";

type Schema = {
  $ref?: string;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  items?: Schema;
};
type Operation = {
  parameters?: { name: string; required: boolean; schema: Schema }[];
  requestBody: { content: { "application/x-www-form-urlencoded": { schema: Schema } } };
  responses: { 200: { content: { "application/json": { schema: Schema } } } };
};

/** The part of Stripe's published OpenAPI description that this shop needs (decision 0046). */
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
// Parameters are sent as text.
const requests = newAjv({ coerceTypes: "array" });

function newAjv(options = {}): Ajv {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, ...options });
  ajv.addFormat("unix-time", { type: "number", validate: (at: number) => at > 1_000_000_000 });
  ajv.addFormat("currency", /^[a-z]{3}$/);
  const definitions = Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]);
  return ajv.addSchema({ $id: "stripe", $defs: Object.fromEntries(definitions) });
}

/**
 * The schema as JSON Schema has it. Fields that it does not name are refused. A schema that the extract leaves out
 * matches nothing: the sandbox sends no such object.
 */
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

/** A call of the API and its answer. */
export type Exchange = {
  method: string;
  url: URL;
  /** The form. */
  body: string;
  status: number;
  answer: { object?: string; deleted?: boolean; data?: { object: string }[] };
};

/** Performs a request and tells what was exchanged. */
export function recordingFetch(exchanges: Exchange[], send = globalThis.fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!new URL(String(input)).pathname.startsWith("/v1/")) return response;
    const answer = (await response.clone().json()) as Exchange["answer"];
    const { method = "GET", body } = init ?? {};
    const [url, { status }] = [new URL(String(input)), response];
    exchanges.push({ method, url, body: String(body ?? ""), status, answer });
    return response;
  };
}

/** The calls whose parameters the extract leaves out: only their answers are checked (decision 0046). */
export const callsWithUncheckedParameters: readonly string[] = [
  "POST /v1/payment_intents",
  "GET /v1/payment_intents/{id}",
  "POST /v1/payment_intents/{id}/cancel",
  "POST /v1/payment_intents/{id}/confirm",
  "GET /v1/payment_methods/{id}",
  "POST /v1/disputes/{id}",
  "POST /v1/webhook_endpoints",
  "POST /v1/webhook_endpoints/{id}",
  "DELETE /v1/webhook_endpoints/{id}",
];

/**
 * How a call and its answer differ from the published ones. A call whose parameters can't be checked is a
 * difference, unless it is one of `callsWithUncheckedParameters`.
 */
export function differencesOfExchange({ method, url, body, status, answer }: Exchange): string[] {
  const call = `${method} ${url.pathname}`;
  const asked = isUnchecked(call) ? [] : differencesOfRequest(call, body || url.search.slice(1));
  const differing =
    status < 400 ? differencesOfSuccess(call, answer) : differencesFrom("error", answer);
  return [...asked, ...differing].map((difference) => `${call}: ${difference}`);
}

function differencesOfSuccess(call: string, answer: Exchange["answer"]): string[] {
  const { object = "", deleted, data = [] } = answer;
  const events = data.filter((one) => one.object === "event");
  if (object === "list")
    return [...differencesOfAnswer(call, answer), ...events.flatMap(differencesOfEvent)];
  return differencesFrom(deleted ? `deleted_${object}` : object, answer);
}

/** How an event, and the object that it is about, differ from the published ones. */
export function differencesOfEvent(event: object): string[] {
  const { object } = (event as { data: { object: { object: string } } }).data;
  return [...differencesFrom("event", event), ...differencesFrom(object.object, object)];
}

/** How a value differs from an object of Stripe's, such as `dispute`. */
export function differencesFrom(name: string, value: unknown): string[] {
  if (!Object.hasOwn(schemas, name)) throw new Error(`The extract has no schema ${name}.`);
  return differences(answers, { $ref: `stripe#/$defs/${name}` }, value);
}

function differencesOfAnswer(call: string, value: unknown): string[] {
  const { schema } = operationOf(call).responses[200].content["application/json"];
  return differences(answers, toJsonSchema(schema), value);
}

/** How the encoded parameters of a call, its query or its form, differ from the published ones. */
export function differencesOfRequest(call: string, encoded: string): string[] {
  if (!hasOperation(call))
    return ["its parameters are neither in the extract nor listed as unchecked"];
  const { parameters = [], requestBody } = operationOf(call);
  const body = requestBody.content["application/x-www-form-urlencoded"].schema;
  const query = parameters.map(({ name, schema }): [string, Schema] => [name, schema]);
  const properties = { ...body.properties, ...Object.fromEntries(query) };
  return differences(
    requests,
    toJsonSchema({ ...body, properties }),
    toParams(decodeForm(encoded)),
  );
}

/** `types[0]=a` is a list. */
function toParams(form: Form | string): unknown {
  if (typeof form === "string") return form;
  const entries = Object.entries(form).map(([key, value]) => [key, toParams(value)]);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function isUnchecked(call: string): boolean {
  const path = call.replace(/(\/v1\/\w+\/)\w+/, "$1{id}");
  return callsWithUncheckedParameters.includes(path);
}

function hasOperation(call: string): boolean {
  const [method = "", path = ""] = call.split(" ");
  return description.paths[path]?.[method.toLowerCase()] !== undefined;
}

function operationOf(call: string): Operation {
  const [method = "", path = ""] = call.split(" ");
  const operation = description.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The extract has no call ${call}.`);
  return operation;
}

function differences(ajv: Ajv, schema: AnySchema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || "/", message, JSON.stringify(params)].join(" "),
  );
}
