/** For lost connections. The server itself responds within 35 s by default (`DATABASE_TIMEOUT`). */
const timeoutMs = 60_000;

export const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
