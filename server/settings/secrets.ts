import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Settings that can come from a file instead, such as `SECRET_FILE=/run/secrets/secret`. */
const secretNames = [
  "SECRET",
  "PREVIOUS_SECRET",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_REPLICA_URL",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_CONNECT_WEBHOOK_SECRET",
  "GOOGLE_CLIENT_SECRET",
  "OIDC_CLIENT_SECRET",
  "FIREBASE_SERVICE_ACCOUNT",
  "S3_SECRET_ACCESS_KEY",
  "IMAGE_HOST_KEY",
  "CDN_PURGE_TOKEN",
];

export const secretFileNames = secretNames.map((name) => `${name}_FILE`);

/** Settings whose file may be missing or empty, so that a deployment can name it in advance. */
const optionalFiles = ["PREVIOUS_SECRET"];
const isEmpty = "is empty";
const isMissing = "can't be read (ENOENT)";

type Env = Record<string, string | undefined>;

/** Sets `NAME` to the content of the file in `NAME_FILE`. `problems` lists unusable files. */
export function readSecretFiles(env: Env): { values: Env; problems: string[] } {
  const values = { ...env };
  const problems: string[] = [];
  for (const name of secretNames) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    const { value, problem } = readSecret(path);
    const isAbsent = problem === isEmpty || problem === isMissing;
    if (env[name] !== undefined)
      problems.push(`${name}_FILE: ${name} is set too. Set one of them.`);
    else if (isAbsent && optionalFiles.includes(name)) continue;
    else if (problem !== undefined) problems.push(`${name}_FILE: ${path} ${problem}.`);
    else values[name] = value;
  }
  return { values, problems };
}

function readSecret(path: string): { value?: string; problem?: string } {
  try {
    const value = readFileSync(path, "utf8").trim();
    return value === "" ? { problem: isEmpty } : { value };
  } catch (error) {
    return { problem: `can't be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

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
