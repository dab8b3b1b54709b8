import type { Answer, Call, Request } from "./call.ts";
import type { ErrorCode } from "./errors.ts";

export class CallError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "UNREACHABLE";
  readonly fields: Record<string, string>;

  constructor(
    status: number,
    {
      message,
      code,
      fields,
    }: { message: string; code: string; fields?: Record<string, string> | undefined },
  ) {
    super(message);
    this.status = status;
    this.code = code as ErrorCode;
    this.fields = fields ?? {};
  }
}

/** `next`: the cursor of the next page, if the list continues. */
export type Answered<C extends Call> = {
  status: number;
  body: Answer<C>;
  next: string | undefined;
};

export type Connection = {
  /** The base URL of the calls, such as `/api`. */
  host: string;
  fetch: typeof fetch;
  token?: () => Promise<string | undefined> | string | undefined;
  key?: string | undefined;
};

/** Throws a `CallError`, with the code `UNREACHABLE` if no response from the shop arrives. */
export async function send<C extends Call>(
  { host, fetch, token, key }: Connection,
  call: C,
  request: Request<C>,
): Promise<Answered<C>> {
  const { params, query, body } = request as Parts;
  const address = `${call.at === "root" ? "" : host}${fill(call.path, params)}${search(query)}`;
  const bearer = call.access === "public" ? undefined : await token?.();
  const response = await fetch(address, {
    method: call.method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(unreachable);
  const answered: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toError(response.status, answered);
  // A response without JSON comes from something other than the shop, such as a Wi-Fi login page.
  if (answered === undefined) return unreachable();
  return {
    status: response.status,
    body: answered as Answer<C>,
    next: nextCursor(response.headers.get("link")),
  };
}

type Values = Record<string, string | number | boolean | undefined>;
type Parts = { params?: Values; query?: Values; body?: unknown };

function fill(path: string, params: Values = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}

function search(query: Values = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`;
}

function toError(status: number, answered: unknown): CallError {
  const message = textOf(answered, "message");
  const code = textOf(answered, "code");
  const fields = propertyOf(answered, "fields") as Record<string, string> | undefined;
  if (message !== undefined && code !== undefined)
    return new CallError(status, { message, code, fields });
  return new CallError(status, {
    message: "Something went wrong on our side. Please try again.",
    code: "INTERNAL",
  });
}

/** Throws the `CallError` for a request that got no response from our server. */
export function unreachable(): never {
  const message = "We can't reach the shop. Check your connection and try again.";
  throw new CallError(0, { message, code: "UNREACHABLE" });
}

function nextCursor(link: string | null): string | undefined {
  const next = /<([^>]*)>;\s*rel="next"/.exec(link ?? "")?.[1];
  return next === undefined
    ? undefined
    : (new URL(next, "http://here").searchParams.get("cursor") ?? undefined);
}

export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function textOf(value: unknown, name: string): string | undefined {
  const found = propertyOf(value, name);
  return typeof found === "string" ? found : undefined;
}
