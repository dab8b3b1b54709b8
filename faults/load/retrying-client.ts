import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Journal } from "./journal.ts";

export type Answer = { status: number; body: { code?: string; [field: string]: unknown } };

export type Asking = {
  url: string;
  token: () => Promise<string>;
  journal: Journal;
};

/** How long a client goes on asking, in milliseconds: a machine that others use may be slow to start. */
const patience = 300_000;

/**
 * Asks as a good client does: one Idempotency-Key for the whole asking, again while nobody answers, and
 * after a 503 that says when, or while the card provider is away. Answers what it was told in the end.
 */
export async function ask(
  { url, token, journal }: Asking,
  call: string,
  body?: object,
): Promise<Answer> {
  const [method = "", path = ""] = call.split(" ");
  const key = randomUUID();
  let last = "nothing";
  for (const until = Date.now() + patience; Date.now() < until; await wait(60)) {
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
    // Cut off in the middle of its body is no answer either.
    const answered = (await response?.json().catch(() => undefined)) as Answer["body"] | undefined;
    last = `${response?.status} ${JSON.stringify(answered)}`;
    if (!response || !answered) journal.unreachable += 1;
    else if (response.status === 503 && response.headers.has("retry-after"))
      journal.unavailable += 1;
    else if (response.status >= 500 && answered.code !== "PROVIDER_UNAVAILABLE")
      journal.wrong.push(`${call}: ${response.status} ${JSON.stringify(answered)}`);
    else if (response.status < 500) return { status: response.status, body: answered };
  }
  throw new Error(`${call} was not answered in five minutes, but with ${last}.`);
}
