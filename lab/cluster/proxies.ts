import { createConnection } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Daemon, Machine } from "./machine.ts";
import type { Patroni } from "./patroni.ts";
import { statusOf, waitUntil } from "./wait-until.ts";

/** HAProxy has one endpoint for the primary and one for the nodes. */
export class HAProxy {
  readonly url: string;
  readonly #socket: string;

  private constructor(machine: Machine, socket: string) {
    this.url = `http://${machine.host(31)}:8080`;
    this.#socket = socket;
  }

  static async start(machine: Machine): Promise<HAProxy> {
    const socket = join(await machine.makeFolder("haproxy"), "admin.sock");
    const config = await machine.writeConfig("haproxy/haproxy.cfg", "haproxy.cfg", {
      "/run/haproxy/admin.sock": socket,
    });
    const daemon = machine.start("haproxy", ["/usr/sbin/haproxy", "-db", "-f", config]);
    const haproxy = new HAProxy(machine, socket);
    await waitUntil("HAProxy finds the primary", () => haproxy.hasPrimary(), { daemon });
    return haproxy;
  }

  async hasPrimary(): Promise<boolean> {
    return (await this.#up("primary")).length === 1;
  }

  /** Returns the names of the nodes that get requests. */
  async nodes(): Promise<string[]> {
    return await this.#up("nodes");
  }

  async #up(backend: string): Promise<string[]> {
    const socket = createConnection(this.#socket);
    socket.write("show stat\n");
    const [header = "", ...lines] = (await text(socket)).trim().split("\n");
    const names = header.replace("# ", "").split(",");
    const rows = lines.map((line) => {
      const values = line.split(",");
      return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
    });
    const servers = rows.filter(
      ({ pxname, svname = "" }) => pxname === backend && !/^[A-Z]+$/.test(svname),
    );
    return servers
      .filter(({ status = "" }) => status.startsWith("UP"))
      .map(({ svname = "" }) => svname);
  }
}

/** PgBouncer in transaction mode, in front of HAProxy's endpoint for the primary. */
export class PgBouncer {
  readonly url: string;
  readonly #start: () => Promise<Daemon>;
  #daemon: Daemon;

  private constructor(url: string, start: () => Promise<Daemon>, daemon: Daemon) {
    this.url = url;
    this.#start = start;
    this.#daemon = daemon;
  }

  static async start(machine: Machine, patroni: Patroni): Promise<PgBouncer> {
    const users = await machine.writeFile("userlist.txt", patroni.userList);
    const config = await machine.writeConfig("pgbouncer/pgbouncer.ini", "pgbouncer.ini", {
      "/etc/pgbouncer/userlist.txt": users,
    });
    const start = async () => {
      const daemon = machine.start("pgbouncer", ["/usr/sbin/pgbouncer", config]);
      await waitUntil("PgBouncer runs", () => /process up/.test(daemon.said), { daemon });
      return daemon;
    };
    return new PgBouncer(patroni.url(machine.host(31), 6432), start, await start());
  }

  /** Ends all connections. */
  async restart(): Promise<void> {
    await this.#daemon.stop("SIGTERM");
    this.#daemon = await this.#start();
  }
}

/** Returns the URL that visitors open. */
export async function startVarnish(machine: Machine): Promise<string> {
  const folder = join(machine.folder, "varnish");
  const config = await machine.writeConfig("varnish/secondlap.vcl", "secondlap.vcl", {
    '.host = "127.0.0.1"': `.host = "${machine.host(31)}"`,
    '.port = "3000"': '.port = "8080"',
  });
  const url = publicUrl(machine);
  const purge = purgeUrl(machine).replace("http://", "purge=");
  const listen = ["-a", url.replace("http://", ""), "-a", purge];
  // Longer than clients keep idle connections. Otherwise, a request may arrive as Varnish closes.
  const idle = ["-p", "timeout_idle=72"];
  const command = ["/usr/sbin/varnishd", "-F", "-n", folder, ...listen, "-f", config, ...idle];
  // Varnish itself drops root privileges.
  const daemon = machine.start("varnish", [...command, "-s", "malloc,64m"], "root");
  await waitUntil("Varnish answers", async () => (await statusOf(`${url}/healthz`)) > 0, {
    daemon,
  });
  return url;
}

export function publicUrl(machine: Machine): string {
  return `http://${machine.host(51)}:8000`;
}

export function purgeUrl(machine: Machine): string {
  return `http://${machine.host(51)}:8001`;
}
