import fc from "fast-check";
import type { Shop } from "#server/testing/shop.ts";
import { addressOf } from "../access-matrix/send-request.ts";
import { fitting, type Known, type Schema, trickyText } from "./schema-arbitraries.ts";

export type Operation = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  parameters: { name: string; in: "path" | "query"; required?: boolean; schema: Schema }[];
  body: Schema | undefined;
};

export type Asked = {
  method: Operation["method"];
  path: string;
  url: string;
  headers: Record<string, string>;
  payload: string | undefined;
};

type Document = {
  paths: Record<string, Record<string, Described>>;
};
type Described = {
  parameters?: Operation["parameters"];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

/** Lists the operations of the OpenAPI document that the shop serves. */
export async function readOperations(shop: Shop): Promise<Operation[]> {
  const { payload } = await shop.app.inject({ url: "/api/openapi.json" });
  const document: Document = JSON.parse(payload);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase() as Operation["method"],
      path,
      parameters,
      body: requestBody?.content["application/json"]?.schema,
    })),
  );
}

/** Generates valid, slightly invalid, and arbitrary requests. */
export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<Asked> {
  const { method, path, parameters, body } = operation;
  const of = (place: "path" | "query") => parameters.filter((one) => one.in === place);
  const values = (place: "path" | "query") =>
    Object.fromEntries(of(place).map(({ name, schema }) => [name, value(schema, known, name)]));
  return fc
    .record({
      params: fc.record<Record<string, unknown>>(values("path")),
      query: fc.record<Record<string, unknown>>(values("query"), { requiredKeys: [] }),
      sent: method === "GET" ? fc.constant(nothing) : bodies(body, known),
      headers: oddHeaders,
    })
    .map(({ params, query, sent, headers }) => ({
      method,
      path,
      url: addressOf(path, params, query),
      headers: { ...headers, ...(sent.type !== undefined && { "content-type": sent.type }) },
      payload: sent.payload,
    }));
}

const nothing: Sent = { payload: undefined, type: undefined };
type Sent = { payload: string | undefined; type: string | undefined };

function value(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fitting(schema, known, name) },
    { weight: 1, arbitrary: trickyText },
    { weight: 1, arbitrary: fc.string({ minLength: 1, unit: "binary" }) },
  );
}

const json = "application/json";

function bodies(schema: Schema | undefined, known: Known): fc.Arbitrary<Sent> {
  const write = (one: unknown): Sent => ({ payload: JSON.stringify(one), type: json });
  const right = schema ? fitting(schema, known) : fc.constant(undefined);
  const off = fc.tuple(right, fc.dictionary(fc.constantFrom(...names(schema)), fc.jsonValue()));
  return fc.oneof(
    { weight: 12, arbitrary: schema ? right.map(write) : fc.constant(nothing) },
    { weight: 5, arbitrary: off.map(([one, more]) => write(Object.assign({}, one, more))) },
    { weight: 1, arbitrary: fc.jsonValue().map(write) },
    { weight: 1, arbitrary: fc.string().map((payload) => ({ payload, type: json })) },
    { weight: 1, arbitrary: fc.constantFrom(...oddBodies) },
  );
}

/** Lists the schema's fields, and fields that an attacker might add. */
function names(schema: Schema | undefined): string[] {
  const tempting = [
    "_id",
    "isAdmin",
    "is_admin",
    "verify",
    "paid",
    "state",
    "sellerEmail",
    "constructor",
  ];
  return [...Object.keys(schema?.properties ?? {}), ...tempting];
}

const oddBodies: Sent[] = [
  nothing,
  { payload: "{}", type: undefined },
  { payload: "{}", type: "text/plain" },
  { payload: "a=b", type: "application/x-www-form-urlencoded" },
  { payload: "{}", type: "multipart/form-data" },
  { payload: "--x\r\n\r\n", type: "multipart/form-data; boundary=x" },
  { payload: '{"__proto__":{"isAdmin":true}}', type: json },
  { payload: "[".repeat(30_000), type: json },
  { payload: `${"[".repeat(20_000)}${"]".repeat(20_000)}`, type: json },
  { payload: `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, type: json },
  { payload: `"${"x".repeat(70_000)}"`, type: json },
  { payload: "{}", type: `${json}; charset=utf-16` },
];

const oddHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "idempotency-key": "the same one" },
      { "idempotency-key": "x".repeat(300) },
      { "if-none-match": "*" },
      { "accept-encoding": "gzip;q=0, br;q=0, *;q=0" },
      { authorization: "Bearer" },
      { authorization: `Bearer ${"a".repeat(5_000)}` },
      { authorization: "Bearer e30.e30.e30" },
      { cookie: "secondlap.session_token=%; secondlap.device=%E0%A4%A" },
      { cookie: "secondlap.session_token=a.b; secondlap.session_token=c.d" },
      { "x-forwarded-for": "'; drop table members; --" },
      { range: "bytes=0-1,-1" },
      { "stripe-signature": "t=1,v1=0" },
    ),
  },
);
