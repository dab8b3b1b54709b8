import { randomBytes } from "node:crypto";
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { type Account, env, findPrograms, run, unprivilegedAccount } from "./programs.ts";

/** One PostgreSQL's files, and how to run it on them. */
export type Cluster = {
  folder: string;
  /** The name by which PostgreSQL reaches the folder once it is started inside of it. */
  knownAs: string;
  programs: string;
  account: Account | undefined;
  passwords: Passwords;
};

/** Of the superuser, and of the application: no superuser, but the owner of its database. */
type Passwords = { postgres: string; secondlap: string };

const passwordFile = "passwords.json";

/** Opens the cluster `dataDir`/postgres, making it first where there is none. Throws a sentence. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, "postgres");
  const root = await unprivilegedAccount();
  const owner = await stat(folder).catch(() => undefined);
  // As root, act for whoever owns the folder already: so it still opens when they start it themselves.
  const account = root && owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : root;
  const { folder: programs, major } = await findPrograms(account);
  const place = { folder, knownAs: account ? "/proc/self/cwd" : folder, programs, account };

  if (!owner) await createCluster(dataDir, place);
  if (account && owner?.uid === 0) await handOver(folder, account);
  await requireVersion(folder, major);
  return { ...place, passwords: JSON.parse(await readFile(join(folder, passwordFile), "utf8")) };
}

/** Whether `dataDir` has a cluster already. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await stat(join(dataDir, "postgres")).catch(() => undefined)) !== undefined;
}

/** Makes the cluster beside its place and moves it there finished, so that no half made one is ever met. */
async function createCluster(dataDir: string, place: Omit<Cluster, "passwords">): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await requireOurs(dataDir);
  // Inside of a checkout, what is secret in it stays out of commits.
  await writeFile(join(dataDir, ".gitignore"), "*\n");
  const folder = await mkdtemp(join(dataDir, "postgres.new-"));
  const { account, programs } = place;
  const knownAs = account ? place.knownAs : folder;
  const inside = { ...account, cwd: folder, env };
  const passwords: Passwords = { postgres: newPassword(), secondlap: newPassword() };
  try {
    if (account) await chown(folder, account.uid, account.gid);
    await run(join(programs, "initdb"), [...newCluster, "-D", knownAs], inside);
    const single = run(join(programs, "postgres"), ["--single", "-D", knownAs, "postgres"], inside);
    single.child.stdin?.end(firstStatements(passwords));
    const { stderr } = await single;
    if (/ERROR|FATAL/.test(stderr)) throw new Error(stderr);
    await writeFile(join(folder, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
    await writeFile(join(folder, passwordFile), JSON.stringify(passwords), { mode: 0o600 });
    if (account) await chown(join(folder, passwordFile), account.uid, account.gid);
    await rename(folder, place.folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ours =
  /^(images|sandbox|development-secret|postgres\.log|postgres\.new-.*|\.gitignore|\.DS_Store|lost\+found)$/;

/** A folder of somebody else's, named by mistake, is left as it is. */
async function requireOurs(dataDir: string): Promise<void> {
  const foreign = (await readdir(dataDir)).find((name) => !ours.test(name));
  if (foreign === undefined) return;
  throw new Error(
    `${dataDir} is not a data folder of Secondlap: there is ${foreign} in it. Set DATA_DIR to an empty folder, or to one that is not there yet.`,
  );
}

/** Nobody can connect while `trust` holds: `createCluster` replaces it before the first start. */
const newCluster = [
  "--username=postgres",
  "--auth=trust",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
];

/** One statement a line, as PostgreSQL's single-user mode reads them. */
function firstStatements({ postgres, secondlap }: Passwords): string {
  return [
    `alter role postgres password '${postgres}'`,
    `create role secondlap login createdb password '${secondlap}'`,
    "create database secondlap owner secondlap\n",
  ].join("\n");
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** A copy that root made of a data folder belongs to root, whom PostgreSQL refuses. */
async function handOver(folder: string, { uid, gid }: Account): Promise<void> {
  await run("/bin/chown", ["-R", `${uid}:${gid}`, folder]);
}

async function requireVersion(folder: string, major: string): Promise<void> {
  const found = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  if (found === major) return;
  throw new Error(
    `${folder} was written by PostgreSQL ${found}, and this Secondlap brings PostgreSQL ${major}. Start the Secondlap that wrote it and move its data over with pg_dump, or set DATA_DIR to an empty folder to begin anew.`,
  );
}
