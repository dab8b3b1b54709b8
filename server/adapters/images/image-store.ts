import { join } from "node:path";
import type { Config } from "../../config.ts";
import { diskImages } from "./disk.ts";
import type { ImageStore } from "./port.ts";
import { s3Images } from "./s3.ts";

/** Where uploaded images are stored: S3 if it is configured, otherwise the data folder. */
export function imageStore({ s3, dataDir }: Pick<Config, "s3" | "dataDir">): ImageStore {
  return s3 ? s3Images(s3) : diskImages(imageFolder(dataDir));
}

export function imageFolder(dataDir: string): string {
  return join(dataDir, "images");
}
