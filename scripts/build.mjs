import { build, install } from "./prepare.mjs";
import { finish } from "./run.mjs";

/** `npm run build`: builds the web app for production. */
await finish(async () => {
  await install();
  await build();
});
