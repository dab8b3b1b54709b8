import type { Call, Request } from "#contract/call.ts";
import { CallError, send } from "#contract/client.ts";
import { buildApp } from "#server/app.ts";
import type { Deps } from "#server/deps.ts";
import type { Person } from "#server/testing/people.ts";
import type { Acknowledged } from "../invariants.ts";

/** `done`: the writes that the outcome acknowledges. `answer`: the HTTP response, if any. */
export type Outcome = {
  result: string;
  answer?: { status: number; body?: unknown; code?: string };
  done: Acknowledged[];
};

export type Executor = {
  deps: Deps;
  request<C extends Call>(call: C, asking: RequestOptions<C>): Promise<Outcome>;
  job(work: (deps: Deps) => Promise<unknown>): Promise<Outcome>;
  withKey(key: string | undefined): Executor;
};

/**
 * `verb`: the audit row's verb. `id`: the object's id, unless the response contains `insertedId` or
 * the request `id`.
 */
type RequestOptions<C extends Call> = Request<C> & { who: Person; verb?: string; id?: string };

export async function createExecutor(deps: Deps): Promise<Executor> {
  return executorOf(deps, await buildApp(deps));
}

function executorOf(deps: Deps, app: Awaited<ReturnType<typeof buildApp>>, key?: string): Executor {
  const visit: typeof fetch = async (input, init) => {
    const { statusCode, headers, body } = await app.inject({
      method: init?.method as Call["method"],
      url: String(input),
      headers: Object(init?.headers),
      ...(typeof init?.body === "string" && { payload: init.body }),
    });
    const type = { "content-type": String(headers["content-type"]) };
    return new Response(body, { status: statusCode, headers: type });
  };
  const request: Executor["request"] = async (call, asking) => {
    const { params, body: input } = Object(asking);
    const { who, verb, id = params?.id ?? input?.id } = asking;
    const connection = { host: "/api", fetch: visit, token: who.token, key };
    try {
      const { status, body } = await send(connection, call, asking);
      const made = "insertedId" in Object(body) ? String(Object(body).insertedId) : id;
      const done = verb === undefined || made === undefined ? [] : [{ verb, id: made }];
      return { result: "ok", answer: { status, body }, done };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const expected = [...(call.refusals ?? []), "NOT_SIGNED_IN"].some(
        (code) => code === error.code,
      );
      const result = expected ? error.code : `unexpected ${error.status} ${error.code}`;
      return { result, answer: { status: error.status, code: error.code }, done: [] };
    }
  };
  return {
    deps,
    request,
    job: (work) => asJob(deps, work),
    withKey: (next) => executorOf(deps, app, next),
  };
}

/** Runs a job. If the job throws because it has to wait for the provider, its result is `later`. */
async function asJob(deps: Deps, work: (deps: Deps) => Promise<unknown>): Promise<Outcome> {
  try {
    await work(deps);
    return { result: "ok", done: [] };
  } catch (error) {
    const later = error instanceof Error && /still open at the provider/.test(error.message);
    return { result: later ? "later" : `unexpected ${error}`, done: [] };
  }
}
