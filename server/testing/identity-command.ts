import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { shopTest } from "./fixtures.ts";
import { run, waitForExit } from "./program.ts";
import { openShop, type Shop } from "./shop.ts";

/** Adds a second shop to move accounts to, and a folder for the files. */
export function identityTest() {
  return shopTest()
    .extend("other", { scope: "file" }, async ({ options }, { onCleanup }) => {
      const other = await openShop(options);
      onCleanup(() => other.close());
      return other;
    })
    .extend("folder", { scope: "file" }, async ({ options: _ }, { onCleanup }) => {
      const folder = await mkdtemp(join(tmpdir(), "secondlap-identity-"));
      onCleanup(() => rm(folder, { recursive: true }));
      return folder;
    });
}

export async function identity(shop: Shop, verb: string, path: string): Promise<string> {
  const { code, said } = await runIdentity(shop, verb, path);
  expect(code, said).toBe(0);
  return said;
}

export async function runIdentity({ databaseUrl }: Shop, verb: string, path: string) {
  const program = run({ DATABASE_URL: databaseUrl }, ["server/cli/identity.ts", verb, path]);
  return await waitForExit(program);
}
