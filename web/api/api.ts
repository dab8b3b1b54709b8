import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { createContext } from "react-router";
import { toast } from "sonner";
import { type Answer, type Call, changesOf, type Request, readsOf } from "#contract/call.ts";
import { type Answered, CallError, type Connection, send } from "#contract/client.ts";
import { clearAccessToken, getAccessToken } from "../auth/access-token.ts";
import { useMutationOnce } from "./use-mutation-once.ts";

/** Makes a call of the contract. Throws a `CallError` where it is refused or nothing answers. */
export type Api = <C extends Call>(call: C, request: Request<C>) => Promise<Answered<C>>;

/** The server's loaders reach the calls through this `fetch`, which asks its own program. */
export const fetchContext = createContext<typeof fetch>();

/** Where the server logs what fails while it renders a page. */
export const logFailure = createContext<(error: unknown) => void>();

/** Whether this is the real shop: then the pages for those who build it are not there. */
export const inProduction = createContext(true);

/** Whether this is a test shop: then every page says so. */
export const inStaging = createContext(false);

/** The calls as the server's loaders make them: public ones, for nobody in particular. */
export function publicApi(fetch: Connection["fetch"]): Api {
  return (call, request) => send({ host, fetch }, call, request);
}

const host = "/api";

/**
 * The calls as the browser makes them; a token refused before its time is renewed once. What is sent to
 * make something, and sent again because no answer came, is made once.
 */
export const browserApi: Api = async (call, request) => {
  if (call.method === "GET") return await sendAsMember(call, request);
  const key = call.method === "POST" ? keyOf(call, request) : undefined;
  try {
    const answered = await sendAsMember(call, request, key);
    unanswered = undefined;
    return answered;
  } catch (error) {
    if (error instanceof CallError && error.status > 0 && error.status < 500)
      unanswered = undefined;
    throw error;
  }
};

/** What was last sent to make something, until anything is answered that was sent to change something. */
let unanswered: { asked: string; key: string } | undefined;

function keyOf<C extends Call>(call: C, request: Request<C>): string {
  const asked = JSON.stringify([call.path, request]);
  if (unanswered?.asked !== asked)
    unanswered = { asked, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
  return unanswered.key;
}

async function sendAsMember<C extends Call>(call: C, request: Request<C>, key?: string) {
  let sent: string | undefined;
  const connection = {
    host,
    fetch: (...from: Parameters<typeof fetch>) => fetch(...from),
    token: async () => {
      sent = await getAccessToken();
      return sent;
    },
    key,
  };
  try {
    return await send(connection, call, request);
  } catch (error) {
    const refused = error instanceof CallError && error.status === 401;
    if (!refused || sent === undefined) throw error;
    clearAccessToken();
    return await send(connection, call, request);
  }
}

/** The public calls as the browser makes them while its page goes away: it sees them through. */
export const keepaliveApi: Api = (call, request) =>
  send({ host, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) }, call, request);

/** The query of a call that reads one thing; its key is the call's path and what was asked. */
export function queryOf<C extends Call>(call: C, request: Request<C>, api: Api = browserApi) {
  return queryOptions({
    queryKey: [call.path, request],
    queryFn: async (): Promise<Answer<C>> => (await api(call, request)).body,
    meta: { personal: call.access !== "public", reads: readsOf(call) },
  });
}

type ListCall = Call & { method: "GET"; paged: true };
type Item<C extends Call> = Answer<C> extends (infer I)[] ? I : never;

/** The query of a call that reads a list page by page; its data are the items of the pages read so far. */
export function listOf<C extends ListCall>(call: C, request: Request<C>, api: Api = browserApi) {
  return infiniteQueryOptions({
    queryKey: [call.path, request],
    queryFn: ({ pageParam }) => api(call, at(request, pageParam)),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ body }) => body as Item<C>[]),
    meta: { personal: call.access !== "public", reads: readsOf(call) },
  });
}

function at<C extends ListCall>(request: Request<C>, cursor: string): Request<C> {
  const { query } = request as { query?: object };
  return cursor === "" ? request : Object.assign({}, request, { query: { ...query, cursor } });
}

type CallOptions<C extends Call> = {
  onSuccess?: (answer: Answer<C>, request: Request<C>) => void;
  /** What to do with a refusal; unless told, its sentence is shown as a toast. */
  onError?: (error: Error) => void;
};

/** A call that changes something, for a button or form: run it with `mutate`, watch `isPending`. */
export function useCall<C extends Call>(call: C, options: CallOptions<C> = {}) {
  const { onSuccess, onError = toastRefusal } = options;
  return useMutationOnce({
    mutationFn: async (request: Request<C>) => (await browserApi(call, request)).body,
    onSuccess: (answer, request) => onSuccess?.(answer, request),
    onError,
    meta: { changes: changesOf(call) },
  });
}

function toastRefusal({ message }: Error): void {
  toast.error(message);
}
