import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/** `npm run test:varnish`: two nodes behind Varnish, which is purged by tag. */
await finish(async () => {
  if ((await run(["varnishd", "-V"])).code !== 0) {
    console.error("This needs Varnish. On Debian: apt-get install varnish");
    return 1;
  }
  await install();
  const env = environment({ TEST_VARNISH: "1" });
  return (await run(["vitest", "run"], { env, stdio: "inherit" })).code;
});
