import { findChromium } from "./chromium.mjs";
import { build, install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/** `npm run screens`: takes the screenshots in docs/screens. `-- Home` selects tests by title. */
await finish(async () => {
  await install();
  const env = environment({ CHROMIUM_PATH: await findChromium() });
  await build();
  const titles = process.argv.slice(2).flatMap((title) => ["-g", title]);
  const command = ["playwright", "test", "--config=screens.config.ts", ...titles];
  return (await run(command, { env, stdio: "inherit" })).code;
});
