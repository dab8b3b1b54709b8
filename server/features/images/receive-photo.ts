import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Member } from "../../db/member.ts";
import { AppError, TooManyRequests } from "../../errors.ts";
import { RunningCounts } from "../../running-counts.ts";
import { decodePhoto, tooManyUploads } from "./decoder.ts";
import type { Photo, PhotoShape } from "./photo-files.ts";

/** `address`: the uploader's network (`networkOf`). */
export type Upload = { address: string; receive: (path: string) => Promise<void> };

/** The maximum numbers of concurrent uploads to this process. */
const maxUploads = { all: 48, perAddress: 12, perMember: 6 };

const running = new RunningCounts();

/**
 * Decodes an upload and passes it to `store`. Throws `NOT_AN_IMAGE`, `TOO_LARGE`. At a limit of
 * concurrent uploads, throws `TOO_MANY_REQUESTS` (member or network) or `UNAVAILABLE` (overall).
 */
export async function receivePhoto<T>(
  member: Member,
  { address, receive, shape }: Upload & { shape: PhotoShape },
  store: (photo: Photo) => Promise<T>,
): Promise<T> {
  const ends = beginUpload(`member ${member.id}`, `address ${address}`);
  try {
    return await store(await decodeReceived({ address, receive, shape }));
  } finally {
    for (const end of ends) end();
  }
}

/** Deletes the received file. Throws what `receive` and the decoder throw. */
export async function decodeReceived({
  address,
  receive,
  shape,
}: Upload & { shape: PhotoShape }): Promise<Photo> {
  const path = join(tmpdir(), `secondlap-upload-${randomUUID()}`);
  try {
    await receive(path);
    return await decodePhoto(address, { path, shape });
  } finally {
    await rm(path, { force: true });
  }
}

function beginUpload(member: string, network: string): (() => void)[] {
  const { all, perAddress, perMember } = maxUploads;
  if (running.of(member) >= perMember || running.of(network) >= perAddress)
    throw new TooManyRequests(30);
  if (running.of("all") >= all) throw tooManyUploads();
  return ["all", member, network].map((key) => running.begin(key));
}

const minBytesPerSecond = 8 * 1024;

/** Throws `BAD_REQUEST` below the minimum rate, so that slow uploads don't block others. */
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
