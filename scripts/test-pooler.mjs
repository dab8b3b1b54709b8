import { install } from "./prepare.mjs";
import { environment, finish, requirePrograms, run } from "./run.mjs";

/** Tests that use the database in different ways: transactions, locks, jobs, LISTEN, searches. */
const files = [
  "server/features/deals",
  "server/features/messages",
  "server/features/search",
  "server/features/saved",
  "server/features/money",
  "server/http/idempotency.test.ts",
  "server/jobs",
  "server/metrics",
  "server/public-cache",
  "security/rate-limits.test.ts",
];

/** `npm run test:pooler`: server tests through PgBouncer in transaction mode. */
await finish(async () => {
  requirePrograms({ pgbouncer: "pgbouncer" });
  await install();
  const env = environment({ TEST_POOLER: "1" });
  const chosen = process.argv.slice(2);
  const command = ["vitest", "run", ...(chosen.length > 0 ? chosen : files)];
  return (await run(command, { env, stdio: "inherit" })).code;
});
