/** A lost connection may never say so. The server answers within 35 seconds by default (`DATABASE_TIMEOUT`). */
const timeoutMs = 60_000;

/** `fetch` that rejects if there is no whole answer within a minute. */
export const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
