import { startSandbox } from "#server/adapters/sandbox-process.ts";
import { migrate } from "#server/db/migrate.ts";
import { freePort } from "#server/testing/free-port.ts";
import { startS3 } from "#server/testing/photo-stores.ts";
import { Etcd } from "./etcd.ts";
import type { Machine } from "./machine.ts";
import { Node } from "./nodes.ts";
import { Patroni } from "./patroni.ts";
import { HAProxy, PgBouncer, publicUrl, startVarnish } from "./proxies.ts";
import { waitUntil } from "./wait-until.ts";

export type Cluster = {
  machine: Machine;
  etcd: Etcd;
  patroni: Patroni;
  haproxy: HAProxy;
  pgbouncer: PgBouncer;
  nodes: Node[];
  sandboxUrl: string;
  /** The database's URL at HAProxy, without PgBouncer. */
  directUrl: string;
  /** The URL that visitors open. */
  url: string;
};

/**
 * Starts etcd, Patroni with PostgreSQL, HAProxy, PgBouncer, stand-ins for services, three nodes and
 * Varnish.
 */
export async function startCluster(
  machine: Machine,
  report: (line: string) => void,
): Promise<Cluster> {
  report("three etcd, Patroni and PostgreSQL: a primary and two replicas");
  const etcd = await Etcd.start(machine);
  const patroni = await Patroni.start(machine);
  report("HAProxy and PgBouncer");
  const haproxy = await HAProxy.start(machine);
  const pgbouncer = await PgBouncer.start(machine, patroni);
  const directUrl = patroni.url(machine.host(31));
  const { sandbox, s3 } = await startStandIns(machine, haproxy.url);
  report("three nodes");
  await migrate(directUrl);
  const services = {
    databaseUrl: pgbouncer.url,
    directUrl,
    replicaUrls: patroni.members.map(({ host }) => patroni.url(host)),
    sandbox,
    s3,
  };
  const nodes = [1, 2, 3].map((number) => new Node(machine, number, services));
  for (const node of nodes) await node.start();
  await waitUntil("HAProxy uses all nodes", async () => (await haproxy.nodes()).length === 3);
  report("Varnish");
  const url = await startVarnish(machine);
  return {
    machine,
    etcd,
    patroni,
    haproxy,
    pgbouncer,
    nodes,
    sandboxUrl: sandbox.url,
    directUrl,
    url,
  };
}

async function startStandIns(machine: Machine, webhooksTo: string) {
  const sandbox = await startSandbox({
    host: "127.0.0.1",
    port: await freePort(),
    dataDir: machine.folder,
    webhookUrl: `${webhooksTo}/api/webhooks/stripe`,
    origins: [publicUrl(machine)],
  });
  machine.onClose(() => sandbox.stop());
  const s3 = await startS3();
  machine.onClose(() => s3.close());
  return { sandbox, s3: s3.env };
}
