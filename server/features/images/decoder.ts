import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "#contract/errors.ts";
import { Refusal } from "../../errors.ts";
import { fairQueue } from "./fair-queue.ts";
import type { Photo, PhotoShape } from "./photo-files.ts";
import { tooMuchToDecode } from "./photo-limits.ts";

export type DecoderRequest = { path: string; shape: PhotoShape };
export type DecoderAnswer =
  | { photo: Photo }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string };

/** How long one picture may take, and how long the process waits for another, in milliseconds. */
const deadlineMs = 25_000;
const idleMs = 10_000;

const queue = fairQueue({ maxWaiting: 20 });
let running: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Makes a photo of an uploaded file in a process of its own, with limits on memory and time (decision 0020).
 * One at a time; addresses take turns. Refuses `NOT_AN_IMAGE`, `TOO_LARGE`, and `UNAVAILABLE` while too many wait.
 */
export async function decodePhoto(address: string, request: DecoderRequest): Promise<Photo> {
  return await queue(address, async () => {
    clearTimeout(idle);
    const answer = await ask(await decoderProcess(), request);
    idle = setTimeout(stopDecoder, idleMs).unref();
    if ("photo" in answer) return answer.photo;
    if ("refused" in answer) throw new Refusal(answer.refused.code, answer.refused.message);
    throw new Error(`The photo could not be processed: ${answer.failed}`);
  });
}

/** The process there is, or a new one. */
async function decoderProcess(): Promise<ChildProcess> {
  if (!running?.connected) running = await startDecoder();
  return running;
}

async function startDecoder(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("./decoder-process.ts", import.meta.url));
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program], {
    // Few arenas: glibc keeps what is freed in each of them.
    env: { PATH, TMPDIR, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX: "2" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  child.once("exit", () => {
    if (running === child) running = undefined;
  });
  // Whoever looks at pages goes first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("It ended.")));
  await Promise.race([once(child, "message"), ended]).catch(() => {
    throw new Refusal(
      "UNAVAILABLE",
      "Photos can't be processed at the moment. Please try again in a few seconds.",
    );
  });
  return child;
}

/** What the process answers. Where it ends instead, the picture was too much for it. */
async function ask(child: ChildProcess, request: DecoderRequest): Promise<DecoderAnswer> {
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

/** Whether this process stays for the decoder's sake: only while it works. */
function keepAlive(child: ChildProcess, working: boolean): void {
  if (working) child.ref();
  else child.unref();
  if (working) child.channel?.ref();
  else child.channel?.unref();
}

function stopDecoder(): void {
  running?.disconnect();
  running = undefined;
}
