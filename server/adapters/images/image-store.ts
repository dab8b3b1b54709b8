import { join } from "node:path";
import type { Config } from "../../config.ts";
import { diskImages } from "./disk.ts";
import type { ImageStore } from "./port.ts";
import { s3Images } from "./s3.ts";

/** Where uploaded images are stored: S3 if it is configured, otherwise the data folder. */
export function imageStore({
  s3,
  dataDir,
  providerTimeouts,
}: Pick<Config, "s3" | "dataDir" | "providerTimeouts">): ImageStore {
  if (!s3) return diskImages(imageFolder(dataDir));
  return s3Images({ ...s3, timeouts: providerTimeouts.s3 });
}

export function imageFolder(dataDir: string): string {
  return join(dataDir, "images");
}
