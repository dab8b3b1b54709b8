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

export type Cluster = {
  folder: string;
  /** The path of `folder` for PostgreSQL's account, which may lack access to the full path. */
  pathInside: string;
  programs: string;
  account: Account | undefined;
  passwords: Passwords;
};

type Passwords = { postgres: string; secondlap: string };

const passwordFile = "passwords.json";

export async function openCluster(dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, "postgres");
  const root = await unprivilegedAccount();
  const owner = await stat(folder).catch(() => undefined);
  // PostgreSQL runs as the folder's owner, who can then also start the program without root.
  const account = root && owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : root;
  const { folder: programs, major } = await findPrograms(account);
  const place = { folder, pathInside: account ? "/proc/self/cwd" : folder, programs, account };

  if (!owner) await createCluster(dataDir, place);
  // The folder may belong to root, such as one that root copied.
  if (account && owner?.uid === 0)
    await run("/bin/chown", ["-R", `${account.uid}:${account.gid}`, folder]);
  await requireVersion(folder, major);
  return { ...place, passwords: JSON.parse(await readFile(join(folder, passwordFile), "utf8")) };
}

/** Creates the cluster in a temporary folder first, so that an interrupted start does no harm. */
async function createCluster(dataDir: string, place: Omit<Cluster, "passwords">): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await requireOwnFolder(dataDir);
  // Keeps the secrets in the data folder out of Git commits.
  await writeFile(join(dataDir, ".gitignore"), "*\n");
  const folder = await mkdtemp(join(dataDir, "postgres.new-"));
  const { account, programs } = place;
  const pathInside = account ? place.pathInside : folder;
  const inside = { ...account, cwd: folder, env };
  const passwords: Passwords = { postgres: newPassword(), secondlap: newPassword() };
  try {
    if (account) await chown(folder, account.uid, account.gid);
    await run(join(programs, "initdb"), [...newCluster, "-D", pathInside], inside);
    const single = run(
      join(programs, "postgres"),
      ["--single", "-D", pathInside, "postgres"],
      inside,
    );
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

const ownFiles =
  /^(images|sandbox|development-secret|disk-reserve|postgres\.log|postgres\.new-.*|\.gitignore|\.DS_Store|lost\+found)$/;

/** Throws if the folder has other files, because `DATA_DIR` may be mistyped. */
async function requireOwnFolder(dataDir: string): Promise<void> {
  const foreign = (await readdir(dataDir)).find((name) => !ownFiles.test(name));
  if (foreign === undefined) return;
  throw new Error(
    `${dataDir} is not a data folder of Secondlap: there is ${foreign} in it. Set DATA_DIR to an empty folder, or to one that is not there yet.`,
  );
}

/** `trust` is safe here, because `createCluster` replaces it before PostgreSQL's first start. */
const newCluster = [
  "--username=postgres",
  "--auth=trust",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
];

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

async function requireVersion(folder: string, major: string): Promise<void> {
  const found = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  if (found === major) return;
  throw new Error(
    `${folder} was written by PostgreSQL ${found}, and this Secondlap brings PostgreSQL ${major}. Start the Secondlap that wrote it and move its data over with pg_dump, or set DATA_DIR to an empty folder to begin anew.`,
  );
}
