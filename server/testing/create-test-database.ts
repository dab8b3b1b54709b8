import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { template, withDatabase } from "./global-setup.ts";
import { openTestDatabase } from "./test-connections.ts";

/** Clones the migrated template. Returns the database's URL. */
export async function createTestDatabase(name: string): Promise<string> {
  const copy = `${name}_${randomUUID().replaceAll("-", "")}`;
  await administer(`create database ${copy} template ${template} strategy file_copy`);
  return withDatabase(inject("postgresUrl"), copy);
}

export async function dropTestDatabase(url: string): Promise<void> {
  await administer(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

async function administer(statement: string): Promise<void> {
  const { pool } = openTestDatabase(inject("postgresUrl"), 1);
  await pool.query(statement);
  await pool.end();
}
