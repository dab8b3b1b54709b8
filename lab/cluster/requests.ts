/** `status` is 0 if the response is missing or incomplete. */
export type Attempt = {
  kind: Kind;
  startedAt: number;
  endedAt: number;
  status: number;
  retryAfter: boolean;
  /** The error code, the start of an error response, or the network error. May be empty. */
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

  /** Reads an event stream, and records only whether it was opened. */
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

  /** Returns the requests in progress at any moment between two times. */
  between(from: number, to: number): Attempt[] {
    return this.attempts.filter(({ startedAt, endedAt }) => endedAt >= from && startedAt <= to);
  }
}

function codeIn(body: string): string {
  return /"code":"(\w+)"/.exec(body)?.[1] ?? body.slice(0, 200);
}

/** For each kind of request: usable responses, and the minimum successes per minute of load. */
const expected = {
  browse: { answers: ["200"], minPerMinute: 60 },
  search: { answers: ["200"], minPerMinute: 40 },
  "sign in": { answers: ["200"], minPerMinute: 3 },
  list: { answers: ["200", "201"], minPerMinute: 5 },
  // Another buyer may book the laptop first.
  hold: { answers: ["201", "409 PRODUCT_TAKEN"], minPerMinute: 5 },
  deal: { answers: ["200", "201"], minPerMinute: 20 },
  save: { answers: ["200"], minPerMinute: 30 },
  "own read": { answers: ["200"], minPerMinute: 60 },
  // Low, because streams stay open.
  events: { answers: ["200"], minPerMinute: 0.2 },
} satisfies Record<string, { answers: string[]; minPerMinute: number }>;

export type Kind = keyof typeof expected;

const kinds = Object.keys(expected) as Kind[];

/** Whether the request got no response, or a response that isn't usable for its kind. */
export function isFailed({ kind, status, code }: Attempt): boolean {
  const answer = status >= 400 ? `${status} ${code}` : String(status);
  return !(expected[kind].answers as string[]).includes(answer);
}

export function isDone({ status }: Attempt): boolean {
  return status === 200 || status === 201;
}

export function isRefused({ status, retryAfter }: Attempt): boolean {
  return status === 503 && retryAfter;
}

/** Returns a sentence for each kind with too few successes. */
export function tooFew(attempts: Attempt[], minutes: number): string[] {
  return kinds.flatMap((kind) => {
    const min = Math.ceil(expected[kind].minPerMinute * minutes);
    const count = attempts.filter((one) => one.kind === kind && isDone(one)).length;
    return count < min ? [`${kind}: ${count}, fewer than ${min}`] : [];
  });
}
