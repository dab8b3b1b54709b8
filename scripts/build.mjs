import { build, install } from "./prepare.mjs";
import { finish } from "./run.mjs";

await finish(async () => {
  await install();
  await build();
});
