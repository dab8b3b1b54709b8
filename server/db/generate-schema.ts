import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "./embedded-postgres/embedded-postgres.ts";
import { migrate } from "./migrate.ts";

/** Generates `schema.ts` from a database with all migrations. `--verify` only compares. */
async function generate(verify: boolean): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-schema-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const cleanUp = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
  try {
    await migrate(postgres.url);
    const files = ["--config-file", "server/db/codegen.json", "--out-file", "server/db/schema.ts"];
    const args = [...files, "--url", postgres.url, ...(verify ? ["--verify"] : [])];
    await promisify(execFile)("node_modules/.bin/kysely-codegen", args);
  } finally {
    await cleanUp();
  }
}

await generate(process.argv.includes("--verify"));
