import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { template, withDatabase } from "./global-setup.ts";
import { openTestDatabase } from "./test-connections.ts";

/** Clones the migrated template. Returns the database's URL. */
export async function createTestDatabase(name: string): Promise<string> {
  const server = inject("postgresUrl");
  const copy = `${name}_${randomUUID().replaceAll("-", "")}`;
  const { pool } = openTestDatabase(server, 1);
  await pool.query(`create database ${copy} template ${template} strategy file_copy`);
  await pool.end();
  return withDatabase(server, copy);
}
