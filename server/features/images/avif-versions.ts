import { transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { decodePhoto } from "./decoder.ts";
import { jpegName, putFiles } from "./photo-files.ts";
import { isStored, lockImage } from "./unused-images.ts";

/** Job `encodeAvif`: stores a photo's AVIF versions, unless the photo was deleted meanwhile. */
export async function storeAvifVersions({ db, images }: Deps, sha256: string): Promise<void> {
  const jpeg = await images.read(jpegName(sha256));
  if (jpeg === undefined) return;
  const files = await decodePhoto("encodeAvif", { sha256, jpeg });
  await transact(db, "storeAvifVersions", async (tx) => {
    await lockImage(tx, sha256);
    if (!(await isStored(tx, sha256))) return;
    await putFiles(images, files);
  });
}
