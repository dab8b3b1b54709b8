import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

const programs = { varnish: ["varnishd", "-V"], caddy: ["caddy", "version"] };

/** `npm run test:varnish`: tests two nodes behind Caddy and Varnish, with purges by tag. */
await finish(async () => {
  for (const [name, command] of Object.entries(programs)) {
    if ((await run(command)).code === 0) continue;
    console.error(`This needs ${name}. On Debian: apt-get install ${name}`);
    return 1;
  }
  await install();
  const env = environment({ TEST_VARNISH: "1" });
  return (await run(["vitest", "run"], { env, stdio: "inherit" })).code;
});
