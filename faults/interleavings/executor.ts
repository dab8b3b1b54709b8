import type { Call, Request } from "#contract/call.ts";
import { CallError, send } from "#contract/client.ts";
import { buildApp } from "#server/app.ts";
import type { Deps } from "#server/deps.ts";
import type { Person } from "#server/testing/people.ts";
import type { Acknowledged } from "../invariants.ts";

/** What came of a verb: what its caller was told, and what is therefore done. */
export type Outcome = { told: string; answer?: unknown; done: Acknowledged[] };

/** Where verbs are done: over HTTP as people do them, or as a job. */
export type Stage = {
  deps: Deps;
  ask<C extends Call>(call: C, asking: Asking<C>): Promise<Outcome>;
  job(work: (deps: Deps) => Promise<unknown>): Promise<Outcome>;
};

type Asking<C extends Call> = {
  who: Person;
  request: Request<C>;
  key?: string | undefined;
  /** What somebody who is answered may count on, with the id the answer names, if it names one. */
  verb: string;
  id?: string;
};

/** The whole program on these deps, asked without a network in between. */
export async function openStage(deps: Deps): Promise<Stage> {
  const app = await buildApp(deps);
  const ask: Stage["ask"] = async (call, { who, request, key, verb, id }) => {
    const visit: typeof fetch = async (input, init) => {
      const { statusCode, headers, body } = await app.inject({
        method: call.method,
        url: String(input),
        headers: { ...Object(init?.headers), ...(key !== undefined && { "idempotency-key": key }) },
        ...(typeof init?.body === "string" && { payload: init.body }),
      });
      const type = { "content-type": String(headers["content-type"]) };
      return new Response(body, { status: statusCode, headers: type });
    };
    const connection = { host: "/api", fetch: visit, token: who.token };
    try {
      const { status, body } = await send(connection, call, request);
      const made = "insertedId" in Object(body) ? String(Object(body).insertedId) : id;
      const done = made === undefined ? [] : [{ verb, id: made }];
      return { told: "yes", answer: { status, body }, done };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const expected = [...call.refusals, "NOT_SIGNED_IN"].some((code) => code === error.code);
      const told = expected ? error.code : `wrongly ${error.status} ${error.code}`;
      return { told, answer: { status: error.status, code: error.code }, done: [] };
    }
  };
  return { deps, ask, job: (work) => asJob(deps, work) };
}

/** A job that can't do its work yet says so by throwing, and is tried again. */
async function asJob(deps: Deps, work: (deps: Deps) => Promise<unknown>): Promise<Outcome> {
  try {
    await work(deps);
    return { told: "yes", done: [] };
  } catch (error) {
    const later = error instanceof Error && /still open at the provider/.test(error.message);
    return { told: later ? "later" : `wrongly ${error}`, done: [] };
  }
}
