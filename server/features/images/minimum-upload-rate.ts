import type { Socket } from "node:net";
import { AppError } from "../../errors.ts";

/** The least an upload has to send: 8 KB a second, counted every eight seconds. */
const windowMs = 8_000;
const minBytesPerWindow = 64 * 1024;

/**
 * Receives an upload as long as it comes fast enough; `signal` tells when it does not. Refuses `BAD_REQUEST`
 * below the minimum rate, so that slow uploads can't occupy the places of others.
 */
export async function withMinimumUploadRate<T>(
  socket: Socket,
  receive: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  const tooSlow = Promise.withResolvers<never>();
  let received = socket.bytesRead;
  const timer = setInterval(() => {
    const since = socket.bytesRead - received;
    received += since;
    if (since >= minBytesPerWindow) return;
    tooSlow.reject(new AppError("BAD_REQUEST", uploadTooSlow));
    slow.abort();
  }, windowMs);
  try {
    return await Promise.race([receive(slow.signal), tooSlow.promise]);
  } finally {
    clearInterval(timer);
  }
}

const uploadTooSlow =
  "The photo arrived too slowly and was not saved. Check your connection and send it again.";
