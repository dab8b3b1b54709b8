import { diskImages } from "../adapters/images/disk.ts";
import { imageFolder } from "../adapters/images/image-store.ts";
import type { ImageStore } from "../adapters/images/port.ts";
import { commandTimeouts, s3Images } from "../adapters/images/s3.ts";
import { type Config, readConfig } from "../config.ts";
import { type MoveResult, moveImages } from "../features/images/move-images.ts";
import { runCommand, withDatabase } from "./run-command.ts";

const usage = "Usage: npm run images -- move disk s3   or   npm run images -- move s3 disk";

/** `npm run images`: copies all photos between the data folder and S3, and compares every hash. */
async function main([verb, source = "", destination = ""]: string[]): Promise<string> {
  const config = readConfig();
  const stores: Record<string, () => ImageStore> = {
    disk: () => diskImages(imageFolder(config.dataDir)),
    s3: () => openS3(config),
  };
  const [from, to] = [stores[source], stores[destination]];
  if (verb !== "move" || !from || !to || source === destination) throw new Error(usage);
  const both = { from: from(), to: to() };
  const result = await withDatabase((db) => moveImages({ db, ...both }));
  if (result.missing.length + result.damaged.length > 0) process.exitCode = 1;
  return report(result);
}

function openS3({ s3 }: Config): ImageStore {
  if (!s3) throw new Error("S3 is not configured: set S3_BUCKET and the other S3_ settings.");
  return s3Images({ ...s3, timeouts: commandTimeouts });
}

function report({ photos, copied, present, missing, damaged }: MoveResult): string {
  const list = (title: string, names: string[]) =>
    names.length > 0 ? `\n${title}:\n  ${names.join("\n  ")}` : "";
  return `${photos} photos: ${copied} files copied, ${present} were there already, ${missing.length} missing, ${damaged.length} damaged.${list("Missing", missing)}${list("Damaged", damaged)}`;
}

await runCommand(main);
