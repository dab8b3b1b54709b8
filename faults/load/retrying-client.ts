import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { CallLog } from "./acknowledged-calls.ts";

export type Answer = { status: number; body: { code?: string; [field: string]: unknown } };

export type RequestContext = {
  url: string;
  token: () => Promise<string>;
  log: CallLog;
  fetch?: typeof fetch;
};

/** Long, because the server starts slowly on a busy machine. */
const timeoutMs = 300_000;
const retryMs = 150;

/** Repeats a request after a 5xx status or no response. Throws after five minutes. */
export async function requestWithRetries(
  { url, token, log, fetch = globalThis.fetch }: RequestContext,
  call: string,
  body?: object,
): Promise<Answer> {
  const [method = "", path = ""] = call.split(" ");
  const key = randomUUID();
  let last = "nothing";
  for (const until = Date.now() + timeoutMs; Date.now() < until; await wait(retryMs)) {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token()}`,
        "idempotency-key": key,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(40_000),
    }).catch(() => undefined);
    // The server may end in the middle of a response. That counts as no response.
    const answered = (await response?.json().catch(() => undefined)) as Answer["body"] | undefined;
    last = `${response?.status} ${JSON.stringify(answered)}`;
    if (!response || !answered) log.unreachable += 1;
    else if (response.status === 503 && response.headers.has("retry-after")) log.unavailable += 1;
    else if (response.status >= 500 && answered.code !== "PROVIDER_UNAVAILABLE")
      log.wrong.push(`${call}: ${response.status} ${JSON.stringify(answered)}`);
    else if (response.status < 500) return { status: response.status, body: answered };
  }
  throw new Error(`${call} was not answered in five minutes, but with ${last}.`);
}
