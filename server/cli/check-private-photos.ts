import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { imageFolder, imageStore } from "../adapters/images/image-store.ts";
import { privateFolder } from "../adapters/images/port.ts";
import type { Config } from "../config.ts";

type Storage = Pick<Config, "s3" | "dataDir" | "providerTimeouts">;

/** Throws if anybody but this shop can read private photos (decision 0090). */
export async function checkPrivatePhotos({ s3, ...config }: Storage): Promise<void> {
  if (s3) await requireUnreadable({ ...config, s3 });
  else await requireOwnModes(join(imageFolder(config.dataDir), privateFolder));
}

/** Stores a file as a private photo, and tries to find and read it without the key. */
async function requireUnreadable(config: Storage & { s3: NonNullable<Config["s3"]> }) {
  const store = imageStore(config);
  const name = `${privateFolder}doctor-${randomUUID()}.jpg`;
  await store.put(name, Buffer.from(name));
  try {
    const bucket = bucketAddress(config.s3);
    const addresses = [`${bucket}/${name}`, `${bucket}/?list-type=2&prefix=${name}`];
    if (config.s3.publicUrl) addresses.push(`${config.s3.publicUrl}/${name}`);
    for (const address of addresses) {
      const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
      if (answer.ok && (await answer.text()).includes(name))
        throw new Error(`Anybody can read ${privateFolder} at ${new URL(address).host}`);
    }
  } finally {
    await store.delete(name);
  }
}

function bucketAddress({ endpoint, region, bucket, pathStyle }: NonNullable<Config["s3"]>): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  return url.href.replace(/\/+$/, "") + (pathStyle ? `/${bucket}` : "");
}

/** The folder protects what is in it, and each file itself wherever it is copied. */
async function requireOwnModes(folder: string): Promise<void> {
  const isOpen = async (path: string) => ((await stat(path)).mode & 0o077) !== 0;
  const names = await readdir(folder, { recursive: true }).catch(ignoreMissing);
  if (!names) return;
  for (const path of [folder, ...names.map((name) => join(folder, name))])
    if (await isOpen(path))
      throw new Error(`Other users of this machine can read ${path}. Run chmod -R go= ${folder}`);
}

/** Before the first private photo there is no folder. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
