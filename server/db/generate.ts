import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { migrate } from "./migrate.ts";

/**
 * Writes `schema.ts`, the database as types, from a database that has just run every migration; with
 * `--verify` it writes nothing and fails where the committed file differs.
 */
async function generate(verify: boolean): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-schema-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const { pool } = openDatabase(postgres.url);
    await migrate(pool);
    await pool.end();
    const codegen = [
      "--config-file",
      "server/db/codegen.json",
      "--out-file",
      "server/db/schema.ts",
    ];
    const wanted = [...codegen, "--url", postgres.url, ...(verify ? ["--verify"] : [])];
    execFileSync("node_modules/.bin/kysely-codegen", wanted, {
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await generate(process.argv.includes("--verify"));
