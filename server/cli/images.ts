import { imageHost } from "../adapters/image-host/image-host.ts";
import type { ImageHost } from "../adapters/image-host/port.ts";
import { diskImages, imageFolder } from "../adapters/images/image-store.ts";
import type { ImageStore } from "../adapters/images/port.ts";
import { commandTimeouts, s3Images } from "../adapters/images/s3.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { moveFromHost, moveToHost } from "../features/images/move-hosted-images.ts";
import { moveImages } from "../features/images/move-images.ts";
import { runCommand, withDatabase } from "./run-command.ts";

const usage =
  "Usage: npm run images -- move FROM TO   with disk s3, s3 disk, image-host disk or disk image-host";

/** `npm run images`: copies photos to another store, and verifies the copies. */
async function main([verb, source = "", destination = ""]: string[]): Promise<string> {
  const config = readConfig();
  const move = moves[`${source} ${destination}`];
  if (verb !== "move" || !move) throw new Error(usage);
  const { said, missing, damaged } = await move(config);
  if (missing.length + damaged.length > 0) process.exitCode = 1;
  const counts = `${missing.length} missing, ${damaged.length} damaged.`;
  return `${said}, ${counts}${list("Missing", missing)}${list("Damaged", damaged)}`;
}

type Moved = { said: string; missing: string[]; damaged: string[] };

const moves: Record<string, (config: Config) => Promise<Moved>> = {
  "disk s3": (config) => copy({ from: openDisk(config), to: openS3(config) }),
  "s3 disk": (config) => copy({ from: openS3(config), to: openDisk(config) }),
  "image-host disk": (config) => relist(config, moveFromHost),
  "disk image-host": (config) => relist(config, moveToHost),
};

async function copy(stores: { from: ImageStore; to: ImageStore }): Promise<Moved> {
  const { photos, copied, present, ...rest } = await withDatabase((db) =>
    moveImages({ db, ...stores }),
  );
  const said = `${photos} photos: ${copied} files copied, ${present} were there already`;
  return { said, ...rest };
}

async function relist(config: Config, move: typeof moveFromHost): Promise<Moved> {
  const [host, store] = [openHost(config), openDisk(config)];
  const { moved, ...rest } = await withDatabase((db) =>
    move({ db, host, store, now: () => systemClock.now() }),
  );
  return { said: `${moved} photos of listings moved`, ...rest };
}

function openDisk({ dataDir }: Config): ImageStore {
  return diskImages(imageFolder(dataDir));
}

function openS3({ s3 }: Config): ImageStore {
  if (!s3) throw new Error("S3 is not configured: set S3_BUCKET and the other S3_ settings.");
  return s3Images({ ...s3, timeouts: commandTimeouts });
}

function openHost({ imageHost: settings }: Config): ImageHost {
  if (settings) return imageHost(settings);
  throw new Error("No image host is configured: set IMAGE_HOST_URL and IMAGE_HOST_KEY.");
}

function list(title: string, names: string[]): string {
  return names.length > 0 ? `\n${title}:\n  ${names.join("\n  ")}` : "";
}

await runCommand(main);
