import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportTo, importFrom } from "../cli/identity.ts";
import { shopTest } from "./fixtures.ts";
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

/** Like `npm run identity`, but in this process. */
export async function identity({ deps: { db } }: Shop, verb: "export" | "import", path: string) {
  return verb === "export" ? await exportTo(db, path) : await importFrom(db, path);
}
