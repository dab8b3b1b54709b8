import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { startPooler } from "./pooler.ts";
import { startStreamingReplicas } from "./streaming-replicas.ts";
import { openTestDatabase } from "./test-connections.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** The pooler's URL. Only `npm run test:pooler` has a pooler. */
    poolerUrl: string;
    /** Only `npm run test:replicas` has a replica. */
    replicaUrl: string;
    /** How many times members read their own writes in `npm run test:replicas`. */
    ownReads: number;
  }
}

export const template = "secondlap_template";

/** Vitest's global setup: starts PostgreSQL for the run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await findFolder(), "secondlap-test-"));
  const replicated = process.env.TEST_REPLICAS
    ? await startStreamingReplicas(dataDir, ["replica"])
    : undefined;
  // Without fsync, because tests kill processes but never the machine.
  const postgres =
    replicated ?? (await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } }));
  await makeTemplate(postgres.url);
  const pooler = process.env.TEST_POOLER ? await startPooler(postgres.url) : undefined;
  project.provide("postgresUrl", postgres.url);
  project.provide("poolerUrl", pooler?.url ?? "");
  project.provide("ownReads", Number(process.env.TEST_REPLICAS ?? 0));
  project.provide("replicaUrl", replicated?.replicas[0]?.url ?? "");
  return async () => {
    await pooler?.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** In memory if there is room, because each clone of the template creates 1,000 files. */
async function findFolder(): Promise<string> {
  const memory = "/dev/shm";
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir();
}

async function makeTemplate(url: string): Promise<void> {
  const server = openTestDatabase(url, 1);
  await server.pool.query(`create database ${template}`);
  await server.pool.end();
  await migrate(withDatabase(url, template));
}

export function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
