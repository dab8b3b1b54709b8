import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { install } from "./prepare.mjs";
import { environment, finish, root, run } from "./run.mjs";

const { values, positionals } = parseArgs({
  options: { commit: { type: "string" } },
  allowPositionals: true,
});

const files = ["server/features", "server/http", "server/jobs", "server/public-cache"];

/** A test that compares the tables of now with the code of then. */
const notOfSchema = "^(?!.*is read from every table that refers)";

/**
 * `npm run test:old-node`: the server and the server tests of an earlier commit, with the packages and on the schema
 * of now, as nodes of the version before run during a rolling deploy. By default the commit before the schema was
 * last changed; `--commit HASH` names another, and paths after it the tests.
 */
await finish(async () => {
  await install();
  const commit = values.commit ?? (await commitBeforeLastMigration());
  const folder = join(await mkdtemp(join(tmpdir(), "secondlap-old-")), "secondlap");
  try {
    await git("worktree", "add", "--detach", folder, commit);
    const migrations = "server/db/migrations";
    await rm(join(folder, migrations), { recursive: true });
    await cp(join(root, migrations), join(folder, migrations), { recursive: true });
    for (const shared of ["node_modules", "build"])
      await symlink(join(root, shared), join(folder, shared));
    console.log(`${commit.slice(0, 9)} on the schema of now:`);
    const tests = positionals.length > 0 ? positionals : files;
    const command = ["vitest", "run", "--root", folder, "-t", notOfSchema, ...tests];
    return (await run(command, { env: environment(), stdio: "inherit" })).code;
  } finally {
    await git("worktree", "remove", "--force", folder);
    await rm(join(folder, ".."), { recursive: true, force: true });
  }
});

async function commitBeforeLastMigration() {
  const last = await git("log", "-1", "--format=%H", "--", "server/db/migrations");
  return await git("rev-parse", `${last}^`);
}

async function git(...args) {
  const { code, output } = await run(["git", ...args]);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${output}`);
  return output.trim();
}
