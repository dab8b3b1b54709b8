import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ImageStore, privateFolder } from "../adapters/images/port.ts";
import type { Config } from "../config.ts";

type Bucket = NonNullable<Config["s3"]>;

/** Throws if anyone can read private photos in S3. Requests a test photo without credentials. */
export async function requireUnreadable(s3: Bucket, store: ImageStore): Promise<void> {
  const name = `${privateFolder}doctor-${randomUUID()}.jpg`;
  await store.put(name, Buffer.from(name));
  try {
    const bucket = bucketAddress(s3);
    const addresses = [`${bucket}/${name}`, `${bucket}/?list-type=2&prefix=${name}`];
    if (s3.publicUrl) addresses.push(`${s3.publicUrl}/${name}`);
    for (const address of addresses) {
      const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
      if (answer.ok && (await answer.text()).includes(name))
        throw new Error(`Anybody can read ${privateFolder} at ${new URL(address).host}`);
    }
  } finally {
    await store.delete(name);
  }
}

function bucketAddress({ endpoint, region, bucket, pathStyle }: Bucket): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  return url.href.replace(/\/+$/, "") + (pathStyle ? `/${bucket}` : "");
}

/**
 * Throws if other users of the machine can read a private photo. Checks the folder and each file,
 * because a file that the operator copied there may have another mode.
 */
export async function requireOwnModes(images: string): Promise<void> {
  const folder = join(images, privateFolder);
  const isOpen = async (path: string) => ((await stat(path)).mode & 0o077) !== 0;
  const names = await readdir(folder, { recursive: true }).catch(ignoreMissing);
  if (!names) return;
  for (const path of [folder, ...names.map((name) => join(folder, name))])
    if (await isOpen(path))
      throw new Error(`Other users of this machine can read ${path}. Run chmod -R go= ${folder}`);
}

/** The folder does not exist before the first private photo. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
