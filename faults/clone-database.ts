import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { openDatabase } from "#server/db/database.ts";
import { template, withDatabase } from "#server/testing/postgres.ts";

/** Creates a database from the migrated template; returns its URL. */
export async function cloneDatabase(name: string): Promise<string> {
  const copy = `${name}_${randomUUID().replaceAll("-", "")}`;
  const { pool } = openDatabase(inject("postgresUrl"), { connections: 1 });
  await pool.query(`create database ${copy} template ${template}`);
  await pool.end();
  return withDatabase(inject("postgresUrl"), copy);
}
