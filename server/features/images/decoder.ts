import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "#contract/errors.ts";
import { childProcessEnv } from "../../config.ts";
import { AppError, Overloaded } from "../../errors.ts";
import { FairQueue } from "../../fair-queue.ts";
import { tooMuchToDecode } from "./check-photo.ts";
import type { ContactSheetRequest } from "./draw-contact-sheet.ts";
import type { LinkPreviewRequest } from "./draw-link-preview.ts";
import type { Photo, PhotoShape, StoredPhoto } from "./photo-files.ts";

type Upload = { path: string; shape: PhotoShape };
export type DecoderRequest = Upload | StoredPhoto | LinkPreviewRequest | ContactSheetRequest;
type Files = Map<string, Buffer>;
type Result<R extends DecoderRequest> = R extends Upload
  ? Photo
  : R extends LinkPreviewRequest | ContactSheetRequest
    ? Buffer
    : Files;

export type DecoderAnswer =
  | { done: Photo | Files | Buffer }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string };

/** `maxMemory` in bytes. `deadlineMs`: the time limit per request. */
type DecoderLimits = {
  maxMemory: number;
  deadlineMs: number;
  maxWaiting: number;
  maxWaitMs: number;
};

export function tooManyUploads(): Overloaded {
  const message = "Many people are uploading photos right now. Please try again in a few seconds.";
  return new Overloaded(message, 5);
}

const idleMs = 10_000;

/**
 * Serves requests in a child process, round robin by address (decisions/photos). Throws
 * `NOT_AN_IMAGE` and `TOO_LARGE`, or `UNAVAILABLE` if the queue is full, the wait is too long or
 * the process can't start.
 */
export function createDecoder({ maxMemory, deadlineMs, ...waiting }: DecoderLimits) {
  const queue = new FairQueue({ concurrency: 1, refusal: tooManyUploads, ...waiting });
  let running: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  return async <R extends DecoderRequest>(address: string, request: R): Promise<Result<R>> =>
    await queue.run(address, async () => {
      clearTimeout(idle);
      running ??= await start();
      const answer = await ask(running, request, deadlineMs);
      idle = setTimeout(() => running?.disconnect(), idleMs).unref();
      if ("done" in answer) return answer.done as Result<R>;
      if ("refused" in answer) throw new AppError(answer.refused.code, answer.refused.message);
      throw new Error(`The photo could not be processed: ${answer.failed}`);
    });

  async function start(): Promise<ChildProcess> {
    const child = await startProcess(maxMemory);
    for (const end of ["disconnect", "exit"])
      child.once(end, () => {
        if (running === child) running = undefined;
      });
    return child;
  }
}

/** `maxMemory` allows for the process itself and `maxDecodedBytes` (`check-photo.ts`). */
export const decodePhoto = createDecoder({
  maxMemory: 350_000_000,
  // `maxWaitMs` plus `deadlineMs` must stay below `httpTimeouts.silence`.
  maxWaitMs: 12_000,
  deadlineMs: 15_000,
  maxWaiting: 20,
});

async function startProcess(maxMemory: number): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("./decoder-process.ts", import.meta.url));
  const child = spawn(process.execPath, [program, String(maxMemory)], {
    // Otherwise glibc keeps much of the freed memory.
    env: {
      ...childProcessEnv(),
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "1000000",
    },
    // Discards the warnings that decoders print about broken images.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  const ended = once(child, "exit").then(() =>
    Promise.reject(new Error("The decoder ended at start.")),
  );
  await Promise.race([once(child, "message"), ended]).catch(() => {
    throw new AppError(
      "UNAVAILABLE",
      "We can't process photos right now. Please try again in a few seconds.",
    );
  });
  return child;
}

/** Throws `TOO_LARGE` if the process ends without a reply. */
async function ask(
  child: ChildProcess,
  request: DecoderRequest,
  deadlineMs: number,
): Promise<DecoderAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<DecoderAnswer>();
  const onExit = () => reject(tooMuchToDecode());
  child.once("message", resolve).once("exit", onExit);
  const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
  keepAlive(child, true);
  child.send(request, (error) => error && child.kill("SIGKILL"));
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    child.off("message", resolve).off("exit", onExit);
    keepAlive(child, false);
  }
}

/** Lets the decoder keep the server process alive only during a request. */
function keepAlive(child: ChildProcess, working: boolean): void {
  if (working) child.ref();
  else child.unref();
  if (working) child.channel?.ref();
  else child.channel?.unref();
}
