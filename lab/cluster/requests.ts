import type { Kind } from "./expected-answers.ts";

/** `status` is 0 if the response is missing or incomplete. */
export type Attempt = {
  kind: Kind;
  startedAt: number;
  endedAt: number;
  status: number;
  retryAfter: boolean;
  /** The error code, the start of the response, or the network error. Empty if unknown. */
  code: string;
};

/** Longer than the shop's wait for the database. */
const timeoutMs = 40_000;

export class Requests {
  readonly attempts: Attempt[] = [];

  of(kind: Kind): typeof fetch {
    return async (input, init) => {
      const startedAt = performance.now();
      const attempt = { kind, startedAt, endedAt: 0, status: 0, retryAfter: false, code: "" };
      try {
        const signal = init?.signal ?? AbortSignal.timeout(timeoutMs);
        const answer = await fetch(input, { redirect: "manual", ...init, signal });
        // A request with a truncated response has failed, so this reads the whole body.
        const body = await answer.arrayBuffer();
        attempt.status = answer.status;
        attempt.retryAfter = answer.headers.has("retry-after");
        if (answer.status >= 400) attempt.code = codeIn(Buffer.from(body).toString());
        const { status, statusText, headers } = answer;
        return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
      } catch (error) {
        attempt.code = String(error instanceof Error ? (error.cause ?? error) : error);
        throw error;
      } finally {
        attempt.endedAt = performance.now();
        this.attempts.push(attempt);
      }
    };
  }

  /** Records only whether the stream was opened. */
  async readEvents(url: string, init: RequestInit): Promise<void> {
    const startedAt = performance.now();
    const answer = await fetch(url, init).catch(() => undefined);
    if (init.signal?.aborted) return;
    const [status, retryAfter] = [answer?.status ?? 0, answer?.headers.has("retry-after") ?? false];
    const endedAt = performance.now();
    this.attempts.push({ kind: "events", startedAt, endedAt, status, retryAfter, code: "" });
    try {
      for await (const _ of answer?.body ?? []);
    } catch {}
  }

  /** Requests in progress at any moment between two times. */
  between(from: number, to: number): Attempt[] {
    return this.attempts.filter(({ startedAt, endedAt }) => endedAt >= from && startedAt <= to);
  }
}

/** Without a code, the start of the response. */
function codeIn(body: string): string {
  return /"code":"(\w+)"/.exec(body)?.[1] ?? body.slice(0, 200);
}
