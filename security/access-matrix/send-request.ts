import type { Call } from "#contract/call.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Parts } from "./row.ts";

/** Encodes part of a URL. Text with a lone surrogate becomes the three bytes of U+D800. */
function encoded(part: unknown): string {
  const text = String(part);
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

export function addressOf(path: string, params: object, query: object): string {
  const values: Record<string, unknown> = { ...params };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(values[name] ?? ""));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
  return search.length === 0 ? filled : `${filled}?${search.join("&")}`;
}

export function pathOf({ at, path }: Call): string {
  return `${at === "root" ? "" : "/api"}${path}`;
}

export async function sendRequest(
  { app }: Shop,
  call: Call,
  { parts, headers }: { parts: Parts; headers: Record<string, string> },
) {
  const { params = {}, query = {}, body, payload } = parts;
  return await app.inject({
    method: call.method,
    url: addressOf(pathOf(call), params, query),
    headers: { ...headers, ...(payload && { "content-type": payload.type }) },
    ...(payload && { payload: payload.bytes }),
    ...(body !== undefined && { payload: body as object }),
  });
}

type Answer = { headers: Record<string, unknown>; rawPayload: Buffer; body: string };

export function answerBody({ headers, rawPayload, body }: Answer): unknown {
  const type = String(headers["content-type"]);
  if (type.startsWith("application/json")) return JSON.parse(body);
  return new File([new Uint8Array(rawPayload)], "answer", { type });
}
