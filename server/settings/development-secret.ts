import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config, ConfigWithSecret } from "../config.ts";

/** The settings with a secret: where none is set, a random one that is kept in the data folder. */
export async function withSecret(config: Config): Promise<ConfigWithSecret> {
  return { ...config, secret: config.secret ?? (await readDevelopmentSecret(config.dataDir)) };
}

async function readDevelopmentSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "development-secret");
  const found = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (found !== undefined) return found;
  await mkdir(dataDir, { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, randomBytes(32).toString("base64url"), { mode: 0o600 });
  // Of several programs on one folder the first one's is used.
  await link(unfinished, path)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    })
    .finally(() => rm(unfinished));
  return await readFile(path, "utf8");
}
