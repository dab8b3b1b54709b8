import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Settings = { dataDir: string; secret: string | undefined };

/** Without `SECRET`, uses a random secret that is stored in the data folder. */
export async function withSecret<S extends Settings>(settings: S): Promise<S & { secret: string }> {
  return {
    ...settings,
    secret: settings.secret ?? (await readDevelopmentSecret(settings.dataDir)),
  };
}

async function readDevelopmentSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "development-secret");
  const found = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (found !== undefined) return found;
  await mkdir(dataDir, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, randomBytes(32).toString("base64url"), { mode: 0o600 });
  // `link` is atomic: if several processes start in the same folder, all use the first secret.
  await link(temporary, path)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    })
    .finally(() => rm(temporary));
  return await readFile(path, "utf8");
}
