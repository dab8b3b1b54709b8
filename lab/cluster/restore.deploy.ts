import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Etcd } from "./etcd.ts";
import { Machine } from "./machine.ts";
import { type Member, Patroni } from "./patroni.ts";
import { waitUntil } from "./wait-until.ts";

let machine: Machine;
let patroni: Patroni;
/** The "With Patroni" section of docs/backup.md. */
let section: string;

beforeAll(async () => {
  const backup = await readFile(new URL("../../docs/backup.md", import.meta.url), "utf8");
  section = backup.split("### With Patroni\n")[1] ?? "";
  machine = await Machine.open();
  await Etcd.start(machine);
  patroni = await Patroni.start(machine);
  for (const name of ["archive", "backups"]) await machine.makeFolder(name);
});
afterAll(() => machine.close());

const configOf = ({ data }: Member) => join(dirname(data), "patroni.yml");

/** Returns commands from the section, with this machine's folders and addresses. */
function part(pattern: RegExp, { host, data, ...member }: Member): string {
  const [, found = ""] = pattern.exec(section) ?? [];
  expect(found).not.toBe("");
  return found
    .replaceAll("-c patroni.yml", `-c ${configOf({ host, data, ...member })}`)
    .replaceAll("/archive/", `${machine.folder}/archive/`)
    .replaceAll("/backups/", `${machine.folder}/backups/`)
    .replaceAll("/var/lib/postgresql/15/secondlap", data)
    .replaceAll("10.0.0.11", host);
}

/** Runs commands as PostgreSQL's account. */
async function shell(commands: string, input = ""): Promise<string> {
  const child = spawn("sh", ["-euc", commands], {
    ...machine.account,
    cwd: machine.folder,
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: `${machine.postgresPrograms}:/usr/bin:/bin`,
      LC_ALL: "C.UTF-8",
      PGPASSWORD: "replicator-password",
    },
  });
  child.stdin.end(input);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${said}`);
  return said;
}

async function primary(): Promise<Member> {
  await waitUntil("there is a primary", async () => (await patroni.primary()) !== undefined);
  return (await patroni.primary()) as Member;
}

const textsOn = async (member: Member) =>
  (await patroni.ask(member, "select text from written order by text")).map((row) => row.text);

const startAgain = ({ name, gid, ...member }: Member) =>
  machine.start(
    name,
    ["/usr/bin/patroni", configOf({ name, gid, ...member })],
    machine.account && { ...machine.account, gid },
  );

async function archive(first: Member): Promise<void> {
  const commands = part(/```sh\n(.*?)\n```/s, first);
  const [change = "", restart = "", copy = ""] = commands.split(
    /\n(?=patronictl \S+ \S+ restart|pg_)/,
  );
  await shell(change);
  await waitUntil("all have to restart", async () =>
    (await patroni.states()).every(({ pending_restart }) => pending_restart),
  );
  await shell(restart);
  await patroni.waitUntilWhole();
  expect(await patroni.ask(await primary(), "show archive_mode")).toEqual([{ archive_mode: "on" }]);
  await shell(copy);
}

/** Makes two writes, and waits until both are archived. Returns a time between the two. */
async function write(leader: Member): Promise<string> {
  await patroni.ask(leader, "create table written (text text)");
  await patroni.ask(leader, "insert into written values ('kept')");
  const [{ now } = {}] = await patroni.ask(leader, "select now()::text");
  await patroni.ask(leader, "insert into written values ('lost')");
  const [{ file } = {}] = await patroni.ask(leader, "select pg_walfile_name(pg_switch_wal()) file");
  const archived = `select last_archived_wal >= '${file}' as done from pg_stat_archiver`;
  await waitUntil("the log is archived", async () => {
    const [{ done } = {}] = await patroni.ask(leader, archived);
    return done === true;
  });
  return String(now);
}

async function remove(leader: Member): Promise<void> {
  const replicas = patroni.members.filter((member) => member !== leader);
  for (const { patroni: program } of [...replicas, leader]) await program.stop();
  const command = part(/`(patronictl -c patroni.yml remove secondlap)`/, leader);
  await shell(command, "secondlap\nYes I am aware\n");
  for (const { data } of patroni.members) await rename(data, `${data}.before`);
}

async function restore(first: Member, time: string): Promise<void> {
  const bootstrap = part(/```yaml\n {3}(bootstrap:\n.*?)\n {3}```/s, first)
    .replaceAll("\n   ", "\n")
    .replace(/(?<=recovery_target_time: ").*(?=")/, time);
  const config = await readFile(configOf(first), "utf8");
  await writeFile(configOf(first), config.replace("bootstrap:", bootstrap));
  const daemon = startAgain(first);
  const isPrimary = async () => (await patroni.primary()) === first;
  await waitUntil("it is restored", isPrimary, { daemon, seconds: 120 });
}

test("Patroni archives and restores to a point in time as docs/backup.md describes", async () => {
  const [first] = patroni.members;
  if (!first) throw new Error("Patroni has no member.");
  await archive(first);
  const leader = await primary();
  const time = await write(leader);
  await remove(leader);
  await restore(first, time);
  expect(await textsOn(first)).toEqual(["kept"]);
  const others = patroni.members.filter((member) => member !== first);
  for (const member of others) startAgain(member);
  await patroni.waitUntilWhole();
  await patroni.ask(first, "insert into written values ('new')");
  for (const member of others) {
    await waitUntil("the others follow", async () => (await textsOn(member)).includes("new"));
    expect(await textsOn(member)).toEqual(["kept", "new"]);
  }
});
