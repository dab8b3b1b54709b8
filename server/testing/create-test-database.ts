import { randomUUID } from "node:crypto";
import { DatabaseError } from "pg";
import { inject } from "vitest";
import { template, withDatabase } from "./global-setup.ts";
import { openTestDatabase } from "./test-connections.ts";

/** Clones the migrated template. Returns the database's URL. */
export async function createTestDatabase(name: string): Promise<string> {
  const copy = `${name}_${randomUUID().replaceAll("-", "")}`;
  await administer(`create database ${copy} template ${template} strategy file_copy`);
  return withDatabase(inject("postgresUrl"), copy);
}

/** Frees the database's memory. Leaves it if a connection, such as autovacuum's, can't be ended. */
export async function dropTestDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await administer(`drop database ${name} with (force)`).catch((error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error;
  });
}

async function administer(statement: string): Promise<void> {
  const { pool } = openTestDatabase(inject("postgresUrl"), 1);
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}
