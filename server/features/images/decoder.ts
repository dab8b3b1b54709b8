import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "#contract/errors.ts";
import { AppError } from "../../errors.ts";
import { createFairQueue, type QueueLimits } from "./fair-queue.ts";
import type { Photo, PhotoShape } from "./photo-files.ts";
import { tooMuchToDecode } from "./photo-limits.ts";

export type DecoderRequest = { path: string; shape: PhotoShape };
export type DecoderAnswer =
  | { photo: Photo }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string };

/** The limits of a decoder: bytes its process may have in memory, and milliseconds a picture may take. */
type Limits = QueueLimits & { maxMemory: number; deadlineMs: number };

/** How long the process waits for another picture before it ends, in milliseconds. */
const idleMs = 10_000;

/**
 * A decoder makes photos of uploaded files in a process of its own (decision 0020): one at a time, while
 * addresses take turns. It refuses `NOT_AN_IMAGE`, `TOO_LARGE`, and `UNAVAILABLE` while too many wait.
 */
export function createDecoder({ maxMemory, deadlineMs, ...waiting }: Limits) {
  const queue = createFairQueue(waiting);
  let running: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  return async (address: string, request: DecoderRequest): Promise<Photo> =>
    await queue(address, async () => {
      clearTimeout(idle);
      running ??= await start();
      const answer = await ask(running, request, deadlineMs);
      idle = setTimeout(() => running?.disconnect(), idleMs).unref();
      if ("photo" in answer) return answer.photo;
      if ("refused" in answer) throw new AppError(answer.refused.code, answer.refused.message);
      throw new Error(`The photo could not be processed: ${answer.failed}`);
    });

  async function start(): Promise<ChildProcess> {
    const child = await startProcess(maxMemory);
    // Disconnected it takes no more work; killed it can do none.
    for (const end of ["disconnect", "exit"])
      child.once(end, () => {
        if (running === child) running = undefined;
      });
    return child;
  }
}

/** The process is 70 MB large, and `photo-limits.ts` lets a picture take 240 MB. */
export const decodePhoto = createDecoder({
  maxMemory: 350_000_000,
  // Both together end before the connection, which is closed after 30 seconds of silence.
  maxWaitMs: 12_000,
  deadlineMs: 15_000,
  maxWaiting: 20,
});

async function startProcess(maxMemory: number): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("./decoder-process.ts", import.meta.url));
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program, String(maxMemory)], {
    // glibc keeps freed memory in each arena, and in blocks below the threshold, which grows unless set.
    env: {
      PATH,
      TMPDIR,
      NODE_COMPILE_CACHE,
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "1000000",
    },
    // What decoders print of a broken picture is no event of ours.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("It ended.")));
  await Promise.race([once(child, "message"), ended]).catch(() => {
    throw new AppError(
      "UNAVAILABLE",
      "Photos can't be processed at the moment. Please try again in a few seconds.",
    );
  });
  return child;
}

/** What the process answers. Where it ends instead, the picture was too much for it. */
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

/** Whether the server's process stays for the decoder's sake: only while it works. */
function keepAlive(child: ChildProcess, working: boolean): void {
  if (working) child.ref();
  else child.unref();
  if (working) child.channel?.ref();
  else child.channel?.unref();
}
