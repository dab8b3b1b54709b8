import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { childProcessEnv } from "../server/config.ts";
import type { Tx } from "../server/db/database.ts";
import type { Resources } from "../server/process/serve.ts";
import { admin } from "./people.ts";

/**
 * Loads the demo data in a child process, whose exit frees the memory. The next start resumes an
 * interrupted load.
 */
export async function loadDemoOnce(db: Tx, resources: Resources): Promise<void> {
  if (await isLoaded(db)) return;
  const program = fileURLToPath(new URL("./load-process.ts", import.meta.url));
  const child = fork(program, { env: childProcessEnv() });
  child.send(resources);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error("The demo data was not loaded. Start again to load the rest.");
}

async function isLoaded(db: Tx): Promise<boolean> {
  const loaded = await db
    .selectFrom("audit_log")
    .innerJoin("members", "members.id", "audit_log.object_id")
    .select("audit_log.id")
    .where("members.email", "=", admin.email)
    .where("audit_log.verb", "=", "grant admin")
    .executeTakeFirst();
  return loaded !== undefined;
}
