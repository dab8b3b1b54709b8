import type { Socket } from "node:net";
import { AppError } from "../../errors.ts";

const minBytesPerSecond = 8 * 1024;

/**
 * Receives an upload. If the upload is below the minimum rate in any time window, aborts `signal`
 * and throws `BAD_REQUEST`, so that slow uploads can't fill the semaphore.
 */
export async function withMinimumUploadRate<T>(
  { socket, windowMs }: { socket: Socket; windowMs: number },
  receive: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  const tooSlow = Promise.withResolvers<never>();
  let received = socket.bytesRead;
  const timer = setInterval(() => {
    const since = socket.bytesRead - received;
    received += since;
    if (since >= (minBytesPerSecond * windowMs) / 1_000) return;
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
  "The photo arrived too slowly and wasn't saved. Check your connection and upload it again.";
