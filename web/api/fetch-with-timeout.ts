/**
 * The timeout of a call, needed because a lost connection may never report an error. The server
 * itself responds within 35 s by default (`DATABASE_TIMEOUT`).
 */
const timeoutMs = 60_000;

/** `fetch` that rejects if the answer is not complete within a minute. */
export const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
