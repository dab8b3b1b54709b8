import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Member } from "../../db/member.ts";
import { decodePhoto } from "./decoder.ts";
import type { Photo, PhotoShape } from "./photo-files.ts";
import { createUploadSemaphore } from "./upload-semaphore.ts";

/** `address`: the uploader's network (`networkOf`). `receive` writes the file to a path. */
export type Upload = { address: string; receive: (path: string) => Promise<void> };

const limitConcurrency = createUploadSemaphore({ all: 48, perAddress: 12, perMember: 6 });

/** Passes the decoded photo of an upload to `store`. Throws `NOT_AN_IMAGE`, `TOO_LARGE`. */
export async function receivePhoto<T>(
  member: Member,
  { address, receive, shape }: Upload & { shape: PhotoShape },
  store: (photo: Photo) => Promise<T>,
): Promise<T> {
  return await limitConcurrency({ memberId: member.id, address }, async () => {
    const path = join(tmpdir(), `secondlap-upload-${randomUUID()}`);
    try {
      await receive(path);
      return await store(await decodePhoto(address, { path, shape }));
    } finally {
      await rm(path, { force: true });
    }
  });
}
