/**
 * The timeout for a call. Without a timeout, a call could wait forever on a lost connection. The
 * server itself responds within 35 s by default (`DATABASE_TIMEOUT`).
 */
const timeoutMs = 60_000;

/** `fetch` that rejects if the answer is not complete within a minute. */
export const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
