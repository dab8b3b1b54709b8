import { join } from "node:path";
import type { Daemon, Machine } from "./machine.ts";
import { statusOf, waitUntil } from "./wait-until.ts";

type Member = { name: string; host: string; command: string[]; daemon: Daemon };

/** Three members, of which at least two must agree on PostgreSQL's primary. */
export class Etcd {
  readonly #machine: Machine;
  readonly #members: Member[] = [];

  private constructor(machine: Machine) {
    this.#machine = machine;
  }

  static async start(machine: Machine): Promise<Etcd> {
    const etcd = new Etcd(machine);
    const hosts = [1, 2, 3].map((number) => ({
      name: `etcd${number}`,
      host: machine.host(20 + number),
    }));
    const peers = hosts.map(({ name, host }) => `${name}=http://${host}:2380`).join(",");
    for (const { name, host } of hosts) {
      const url = `http://${host}:2379`;
      const peer = `http://${host}:2380`;
      const folder = await machine.makeFolder(name);
      const command = [
        "/usr/bin/etcd",
        "--data-dir",
        join(folder, "data"),
        "--name",
        name,
        "--listen-client-urls",
        url,
        "--advertise-client-urls",
        url,
        "--listen-peer-urls",
        peer,
        "--initial-advertise-peer-urls",
        peer,
        "--initial-cluster",
        peers,
        "--log-level",
        "warn",
        "--enable-v2",
      ];
      etcd.#members.push({ name, host, command, daemon: machine.start(name, command) });
    }
    await etcd.#waitUntilWhole();
    return etcd;
  }

  async killLeader(): Promise<{ name: string; restart: () => Promise<void> }> {
    const states = await Promise.all(this.#members.map(stateOf));
    const leader = this.#members[states.indexOf("StateLeader")];
    if (!leader) throw new Error(`No etcd leads: ${states.join(", ")}.`);
    await leader.daemon.kill();
    const restart = async () => {
      leader.daemon = this.#machine.start(leader.name, leader.command);
      await this.#waitUntilWhole();
    };
    return { name: leader.name, restart };
  }

  async #waitUntilWhole(): Promise<void> {
    for (const { name, host, daemon } of this.#members)
      await waitUntil(
        `${name} answers`,
        async () => (await statusOf(`http://${host}:2379/health`)) === 200,
        { daemon },
      );
  }
}

async function stateOf({ host }: Member): Promise<string> {
  const answer = await fetch(`http://${host}:2379/v2/stats/self`, {
    signal: AbortSignal.timeout(2_000),
  });
  return ((await answer.json()) as { state: string }).state;
}
