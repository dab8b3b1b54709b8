import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Daemon, Machine } from "./machine.ts";
import { statusOf, waitUntil } from "./wait-until.ts";

export type Member = {
  name: string;
  host: string;
  /** The Unix group of the host's processes, by which iptables recognizes the host's packets. */
  gid: number;
  patroni: Daemon;
  data: string;
};

type State = { name: string; role: string; state: string; pending_restart?: boolean };

/** Member N has the group ID `firstGid` + N. Nothing else uses these IDs. */
const firstGid = 64_110;

const passwords = { postgres: "superuser-password", secondlap: "a-password-of-the-shop" };

/** A primary and two replicas, one of them synchronous. */
export class Patroni {
  readonly members: Member[] = [];
  readonly #machine: Machine;

  private constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Starts three members and creates the shop's database. Requires a running etcd. */
  static async start(machine: Machine): Promise<Patroni> {
    const patroni = new Patroni(machine);
    for (const number of [1, 2, 3]) await patroni.#startMember(number);
    await waitUntil("PostgreSQL has a primary", () => patroni.primary().then(Boolean), {
      seconds: 120,
      ...(patroni.members[0] && { daemon: patroni.members[0].patroni }),
    });
    await patroni.#createDatabase();
    await patroni.waitUntilWhole();
    return patroni;
  }

  /** Returns the shop's database URL at `host`, which is a member, HAProxy or PgBouncer. */
  url(host: string, port = 5432): string {
    return `postgres://secondlap:${passwords.secondlap}@${host}:${port}/secondlap`;
  }

  get userList(): string {
    return `"secondlap" "${passwords.secondlap}"\n`;
  }

  async primary(): Promise<Member | undefined> {
    for (const member of this.members)
      if ((await statusOf(`http://${member.host}:8008/primary`)) === 200) return member;
    return undefined;
  }

  async synchronousReplica(): Promise<Member | undefined> {
    for (const member of this.members)
      if ((await statusOf(`http://${member.host}:8008/synchronous`)) === 200) return member;
    return undefined;
  }

  /** Waits until all members run, one of them as leader and one as synchronous replica. */
  async waitUntilWhole(): Promise<void> {
    await waitUntil(
      "all three members of PostgreSQL run",
      async () => {
        const states = await this.states();
        const running = states.filter(({ state }) => state === "running" || state === "streaming");
        const roles = states.map(({ role }) => role);
        return running.length === 3 && roles.includes("leader") && roles.includes("sync_standby");
      },
      { seconds: 180, everyMs: 500 },
    );
  }

  async states(): Promise<State[]> {
    for (const { host } of this.members) {
      const answer = await fetch(`http://${host}:8008/cluster`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: State[] }).members;
    }
    return [];
  }

  async ask(member: Member, statement: string, database = "postgres") {
    const client = new pg.Client({
      host: member.host,
      port: 5432,
      user: "postgres",
      password: passwords.postgres,
      database,
      connectionTimeoutMillis: 2_000,
    });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Stops the replaying process, because Patroni would undo a setting. Changes still arrive. */
  stopReplay(member: Member): () => void {
    const replaying = execFileSync("pgrep", ["-f", "-P", String(postmasterOf(member)), "startup"]);
    const pid = Number(replaying.toString().trim());
    signal(pid, "SIGSTOP");
    return () => signal(pid, "SIGCONT");
  }

  /** Patroni keeps running. */
  killPostgres(member: Member): void {
    for (const pid of postgresProcesses(member)) signal(pid, "SIGKILL");
  }

  /** Freezes a host. Its connections stay open but silent. Returns a function that resumes it. */
  freezeHost(member: Member): () => void {
    const pids = [member.patroni.pid, ...postgresProcesses(member)];
    for (const pid of pids) signal(pid, "SIGSTOP");
    return () => {
      for (const pid of pids.toReversed()) signal(pid, "SIGCONT");
    };
  }

  /** Cuts a running host off the network. Returns a function that reconnects it. */
  cutHost(member: Member): () => void {
    const mend = cutOff(member);
    this.#machine.onClose(async () => mend());
    return mend;
  }

  async #startMember(number: number): Promise<void> {
    const machine = this.#machine;
    const name = `pg${number}`;
    const folder = await machine.makeFolder(name);
    const host = machine.host(10 + number);
    const data = join(folder, "data");
    const config = await machine.writeConfig("patroni/patroni.yml", `${name}/patroni.yml`, {
      "name: pg1": `name: ${name}`,
      "10.0.0.11": host,
      "/var/lib/postgresql/15/secondlap.pgpass": join(folder, "pgpass"),
      "/var/lib/postgresql/15/secondlap": data,
      "/usr/lib/postgresql/15/bin": machine.postgresPrograms,
      "/var/run/postgresql": folder,
    });
    const { account } = machine;
    const gid = firstGid + number;
    const patroni = machine.start(
      name,
      ["/usr/bin/patroni", config],
      account && { ...account, gid },
    );
    this.members.push({ name, host, gid, patroni, data });
  }

  /** Creates the shop's role and database as docs/operations.md describes. */
  async #createDatabase(): Promise<void> {
    const primary = await this.primary();
    if (!primary) throw new Error("PostgreSQL has no primary.");
    const { secondlap } = passwords;
    await this.ask(primary, `create role secondlap login password '${secondlap}'`);
    await this.ask(primary, "grant pg_read_all_stats to secondlap");
    await this.ask(primary, "create database secondlap owner secondlap");
  }
}

/** Lists PostgreSQL's processes, the postmaster first, because it would replace killed ones. */
function postgresProcesses(member: Member): number[] {
  const postmaster = postmasterOf(member);
  const children = execFileSync("pgrep", ["-P", String(postmaster)], { encoding: "utf8" });
  return [postmaster, ...children.trim().split("\n").map(Number)];
}

function postmasterOf({ data }: Member): number {
  return Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

const iptables = "/usr/sbin/iptables";

export function canCut(): boolean {
  return process.getuid?.() === 0 && existsSync(iptables);
}

/** Drops a host's packets. Rules match groups, because hosts share one interface. */
function cutOff({ host, gid }: { host: string; gid: number }): () => void {
  const owner = ["-m", "owner"];
  const group = ["--gid-owner", String(gid), "-j", "DROP"];
  const rules = [
    ["-d", host, ...owner, "!", ...group],
    ["!", "-d", host, ...owner, ...group],
  ];
  const run = (what: "-I" | "-D") => {
    for (const rule of rules) execFileSync(iptables, ["--wait", what, "OUTPUT", ...rule]);
  };
  run("-I");
  let isCut = true;
  return () => {
    if (isCut) run("-D");
    isCut = false;
  };
}
