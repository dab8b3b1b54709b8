import { useSyncExternalStore } from "react";
import { readMessageEvents } from "#contract/messages.ts";
import { getAccessToken } from "./access-token.ts";
import { browserQueries, invalidateReads } from "./query-client.ts";

/** The stream counts as lost after this time without an event. A heartbeat comes every 20 s. */
const silenceMs = 45_000;
const pollingMs = 10_000;
const longestPauseMs = 30_000;

/**
 * Listens for live changes. One tab reads the event stream and notifies the others. Returns the
 * polling interval in milliseconds, or false while a stream is open.
 */
export function useLiveChanges(): number | false {
  const isLive = useSyncExternalStore(
    subscribe,
    () => live,
    () => false,
  );
  return isLive ? false : pollingMs;
}

let live = false;
let silence: ReturnType<typeof setTimeout> | undefined;
const subscribers = new Set<() => void>();
let stopListening = () => {};

function subscribe(onChange: () => void): () => void {
  if (subscribers.size === 0) stopListening = listen();
  subscribers.add(onChange);
  return () => {
    subscribers.delete(onChange);
    if (subscribers.size === 0) stopListening();
  };
}

function setLive(isLive: boolean): void {
  clearTimeout(silence);
  if (isLive) silence = setTimeout(() => setLive(false), silenceMs);
  if (live === isLive) return;
  live = isLive;
  for (const onChange of subscribers) onChange();
}

type Sign = "alive" | "messages" | "deals" | "lost";

function handle(sign: Sign): void {
  setLive(sign !== "lost");
  if (sign === "messages") void invalidateReads(browserQueries, ["messages"]);
  if (sign === "deals") void invalidateReads(browserQueries, ["bookings"]);
}

/** Only the tab that holds the lock reads the stream. Browsers without Web Locks poll. */
function listen(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const others = new BroadcastChannel("messages");
  others.onmessage = ({ data }: MessageEvent<Sign>) => handle(data);
  const tell = (sign: Sign) => {
    if (signal.aborted) return;
    handle(sign);
    others.postMessage(sign);
  };
  const reading = navigator.locks?.request("message events", { signal }, () =>
    readUntilStopped(tell, signal),
  );
  // The lock request rejects if it is aborted while still waiting for the lock.
  reading?.catch(() => {});
  return () => {
    stop.abort();
    others.close();
    setLive(false);
  };
}

/** Reconnects whenever the stream ends, with backoff after failures. */
async function readUntilStopped(tell: (sign: Sign) => void, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  for (let failures = 0; !signal.aborted; failures += 1) {
    const read = async () => {
      // The server doesn't replay changes to deals from before the stream opened.
      let missed = true;
      for await (const event of readEvents(await request(after), signal)) {
        failures = 0;
        after = event.id ?? after;
        tell(signOf(event.name));
        if (missed) tell("deals");
        missed = false;
      }
    };
    await read().catch(() => {});
    tell("lost");
    await pause(Math.min(1_000 * 2 ** failures, longestPauseMs) * (0.5 + Math.random()), signal);
  }
}

function signOf(name: string | undefined): Sign {
  if (name === undefined) return "alive";
  return name === "deals" ? "deals" : "messages";
}

async function request(after: string | undefined): Promise<Request> {
  const headers = new Headers({ accept: "text/event-stream" });
  headers.set("authorization", `Bearer ${await getAccessToken()}`);
  if (after !== undefined) headers.set("last-event-id", after);
  return new Request(`/api${readMessageEvents.path}`, { headers, cache: "no-store" });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

/** An event without a name is a heartbeat. */
type ServerSentEvent = { id: string | undefined; name: string | undefined };

/**
 * Reads the stream with fetch, because `EventSource` can't send headers. Throws if the server
 * rejects the request or is silent for too long, or if `signal` aborts.
 */
async function* readEvents(request: Request, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  const silence = new AbortController();
  const wait = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = wait();
  try {
    const answer = await fetch(request, { signal: AbortSignal.any([signal, silence.signal]) });
    if (!answer.ok || !answer.body) throw new Error(`The stream was refused: ${answer.status}.`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = wait();
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield { id: fieldOf(block, "id"), name: fieldOf(block, "event") };
    }
  } finally {
    clearTimeout(timer);
  }
}

function fieldOf(block: string, field: string): string | undefined {
  return new RegExp(`^${field}: (.*)$`, "m").exec(block)?.[1];
}
