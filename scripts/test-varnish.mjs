import { install } from "./prepare.mjs";
import { environment, finish, requirePrograms, run } from "./run.mjs";

/** `npm run test:varnish`: tests two nodes behind Caddy and Varnish, with purges by tag. */
await finish(async () => {
  requirePrograms({ varnishd: "varnish", caddy: "caddy" });
  await install();
  const env = environment({ TEST_VARNISH: "1" });
  return (await run(["vitest", "run"], { env, stdio: "inherit" })).code;
});
