import { build, install } from "./prepare.mjs";
import { finish } from "./run.mjs";

/** `npm run build`: the web app, as production serves it. */
await finish(async () => {
  await install();
  await build();
});
