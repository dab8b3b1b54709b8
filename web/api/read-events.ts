/** A block of the stream. A block without a name is a heartbeat. */
type ServerSentEvent = { id: string | undefined; name: string | undefined };

/**
 * Reads server-sent events with headers that `EventSource` can't send. Ends when the server ends
 * the stream. Throws if the server rejects the request or is silent for too long, or if `signal`
 * aborts.
 */
export async function* readEvents(
  request: Request,
  signal: AbortSignal,
  silenceMs: number,
): AsyncGenerator<ServerSentEvent> {
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
