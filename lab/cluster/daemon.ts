import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import type { Account } from "#server/db/embedded-postgres/programs.ts";

type Options = { log: string; account: Account | undefined };

export class Daemon {
  readonly name: string;
  readonly #log: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(name: string, [program = "", ...args]: string[], { log, account }: Options) {
    this.name = name;
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
