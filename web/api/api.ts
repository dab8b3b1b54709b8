import {
  infiniteQueryOptions,
  queryOptions,
  type UseMutationOptions,
  useMutation,
} from "@tanstack/react-query";
import { useRef } from "react";
import { createContext } from "react-router";
import type { Answer, Call, Request } from "#contract/call.ts";
import { changesOf, readsOf } from "#contract/call-resources.ts";
import { type Answered, CallError, type Connection, send } from "#contract/client.ts";
import type { Shop } from "#contract/shop.ts";
import { toast } from "#web/ui/toast.ts";
import { clearAccessToken, getAccessToken } from "./access-token.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

/** Throws a `CallError` if the server rejects the call or can't be reached. */
export type Api = <C extends Call>(call: C, request: Request<C>) => Promise<Answered<C>>;

/** The server passes this to the loaders of its pages. */
type PageContext = {
  /** Calls the API within the server's process. */
  fetch: typeof fetch;
  /** For errors thrown by loaders or while rendering. */
  logFailure: (error: unknown) => void;
  production: boolean;
  /** Whether members sign in with Firebase. Browsers read this from the page's HTML. */
  usesFirebase?: boolean;
  /** The URL that pages load photos from, if it is not this server's `/images`. */
  photosUrl?: string | undefined;
  shop: Shop;
  version: string;
};

/** Marked as pure, so that the bundler drops it from the browser's code. */
export const pageContext = /* @__PURE__ */ createContext<PageContext>();

/** An `Api` without a session, for server loaders. */
export function publicApi(fetch: Connection["fetch"]): Api {
  return (call, request) => send({ host, fetch }, call, request);
}

const host = "/api";

/**
 * Renews the token once after a 401. A POST that is repeated after no response or a 5xx keeps its
 * Idempotency-Key.
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

/** The last POST without a definite answer. */
let unanswered: { fingerprint: string; key: string } | undefined;

function keyOf<C extends Call>(call: C, request: Request<C>): string {
  const fingerprint = JSON.stringify([call.path, request]);
  if (unanswered?.fingerprint !== fingerprint)
    unanswered = { fingerprint, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
  return unanswered.key;
}

async function sendAsMember<C extends Call>(call: C, request: Request<C>, key?: string) {
  let sent: string | undefined;
  const connection = {
    host,
    fetch: fetchWithTimeout,
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

/** For public calls whose requests may outlive the page. */
export const keepaliveApi: Api = (call, request) =>
  send({ host, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) }, call, request);

export function queryOf<C extends Call>(call: C, request: Request<C>, api: Api = browserApi) {
  return queryOptions({
    queryKey: [call.path, request],
    queryFn: async (): Promise<Answer<C>> => (await api(call, request)).body,
    meta: { personal: call.access !== "public", reads: readsOf(call) },
  });
}

type ListCall = Call & { method: "GET"; paged: true };
type Item<C extends Call> = Answer<C> extends (infer I)[] ? I : never;

/** Query options for a paged list. The data is the items from all pages read so far. */
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

export type CallOptions<C extends Call> = {
  /** The text of a toast after success. */
  success?: string | undefined;
  onSuccess?: ((answer: Answer<C>, request: Request<C>) => void) | undefined;
  /** Without a handler, the error's message is shown as a toast. */
  onError?: (error: Error, request: Request<C>) => void;
};

/** A mutation that makes a call and then invalidates the queries whose data the call changes. */
export function useCall<C extends Call>(call: C, options: CallOptions<C> = {}) {
  const { success, onSuccess, onError = toastRefusal } = options;
  return useMutationOnce({
    mutationFn: async (request: Request<C>) => (await browserApi(call, request)).body,
    onSuccess: (answer, request) => {
      if (success) toast.success(success);
      onSuccess?.(answer, request);
    },
    onError,
    meta: { changes: changesOf(call) },
  });
}

function toastRefusal({ message }: Error): void {
  toast.error(message);
}

/** Ignores further calls until queries are refetched: a double click can beat the busy state. */
export function useMutationOnce<D, V>(options: UseMutationOptions<D, Error, V>) {
  const mutation = useMutation(options);
  const underWay = useRef(false);
  const mutate: typeof mutation.mutate = (...args) => {
    if (underWay.current) return;
    underWay.current = true;
    const over = () => {
      underWay.current = false;
    };
    mutation.mutateAsync(...args).then(over, over);
  };
  return { ...mutation, mutate };
}
