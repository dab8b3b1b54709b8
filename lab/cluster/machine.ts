import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, openSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, unprivilegedAccount } from "#server/db/embedded-postgres/programs.ts";

/** Debian packages, each with one of its programs. */
const packages = {
  postgresql: "/usr/lib/postgresql/*/bin/postgres",
  patroni: "/usr/bin/patroni",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  pgbouncer: "/usr/sbin/pgbouncer",
  varnish: "/usr/sbin/varnishd",
};

/** Plays every host in the cluster. Each host is a loopback address. */
export class Machine {
  readonly folder: string;
  /** For programs that must not run as root. */
  readonly account: Account | undefined;
  readonly postgresPrograms: string;
  readonly #network = `127.${20 + (process.pid % 200)}.0`;
  readonly #daemons: Daemon[] = [];
  readonly #closing: (() => Promise<unknown> | undefined)[] = [];

  private constructor(folder: string, account: Account | undefined) {
    this.folder = folder;
    this.account = account;
    this.postgresPrograms = join(globSync(packages.postgresql).sort().at(-1) ?? "", "..");
  }

  /** Throws an error that names missing packages, if any. */
  static async open(): Promise<Machine> {
    const missing = Object.entries(packages).filter(([, path]) => globSync(path).length === 0);
    if (missing.length > 0)
      throw new Error(
        `This needs Debian's packages: apt-get install --no-install-recommends ${missing.map(([name]) => name).join(" ")}`,
      );
    const account = await unprivilegedAccount();
    const machine = new Machine(await mkdtemp(join(tmpdir(), "secondlap-cluster-")), account);
    await machine.#giveAway(machine.folder);
    await chmod(machine.folder, 0o711);
    return machine;
  }

  /** Returns a host's IP address. `number` is as in `deploy/`: 10.0.0.11 is host 11. */
  host(number: number): string {
    return `${this.#network}.${number}`;
  }

  /** Writes a file from `deploy/` with this machine's IP addresses and the given changes. */
  async writeConfig(
    source: string,
    name: string,
    changes: Record<string, string> = {},
  ): Promise<string> {
    let text = await readFile(new URL(`../../deploy/${source}`, import.meta.url), "utf8");
    for (const [from, to] of Object.entries(changes)) {
      if (!text.includes(from)) throw new Error(`deploy/${source} does not contain ${from}`);
      text = text.replaceAll(from, to);
    }
    // Packets between loopback addresses come from 127.0.0.1.
    text = text
      .replaceAll("10.0.0.0/24", "127.0.0.0/8")
      .replaceAll("10.0.0.", this.host(0).slice(0, -1));
    return await this.writeFile(name, text);
  }

  async writeFile(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    // Varnish reads its configuration as a different user.
    await writeFile(path, text, { mode: name.endsWith(".vcl") ? 0o644 : 0o600 });
    await this.#giveAway(path);
    return path;
  }

  async makeFolder(name: string): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(path, { mode: 0o700 });
    await this.#giveAway(path);
    return path;
  }

  /** Starts a program, which runs until stopped. A log file named `name` gets its output. */
  start(
    name: string,
    command: string[],
    account: Account | "root" = this.account ?? "root",
  ): Daemon {
    const daemon = new Daemon(command, {
      log: join(this.folder, `${name}.log`),
      account: account === "root" ? undefined : account,
    });
    this.#daemons.push(daemon);
    return daemon;
  }

  /** Makes `close` run before the programs are killed. The last registered function runs first. */
  onClose(close: () => Promise<unknown> | undefined): void {
    this.#closing.push(close);
  }

  async close({ keepFolder = false } = {}): Promise<void> {
    for (const close of this.#closing.reverse()) await close();
    for (const daemon of this.#daemons.reverse()) await daemon.kill();
    // PostgreSQL runs in its own session, so it outlives Patroni.
    for (const file of globSync(join(this.folder, "*/data/postmaster.pid"))) killPostgres(file);
    if (!keepFolder && existsSync(this.folder))
      await rm(this.folder, { recursive: true, maxRetries: 10 });
  }

  async #giveAway(path: string): Promise<void> {
    if (this.account) await chown(path, this.account.uid, this.account.gid);
  }
}

function killPostgres(pidFile: string): void {
  try {
    execFileSync("sh", [
      "-c",
      'pid=$(head -1 "$0"); kill -KILL "$pid"; pkill -KILL -P "$pid"; true',
      pidFile,
    ]);
  } catch {}
}

type DaemonOptions = { log: string; account: Account | undefined };

export class Daemon {
  readonly #log: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor([program = "", ...args]: string[], { log, account }: DaemonOptions) {
    this.#log = log;
    const output = openSync(log, "a");
    // Detached, because Ctrl-C must not end a daemon before the programs that use it.
    this.#child = spawn(program, args, {
      ...account,
      cwd: "/",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", output, output],
      detached: true,
    });
    this.#ended = once(this.#child, "exit").catch(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The last lines of the daemon's output. */
  get said(): string {
    return readFileSync(this.#log, "utf8").trim().split("\n").slice(-15).join("\n");
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    process.kill(-this.pid, "SIGKILL");
    await this.#ended;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.signal(signal);
    await this.#ended;
  }
}
