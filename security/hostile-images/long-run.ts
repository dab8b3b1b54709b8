import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";

/** `npm run pictures -- --count 200` sends 200 hostile images and prints the peak memory. */
const { values } = parseArgs({ options: { count: { type: "string", default: "200" } } });

const vitest = await createVitest("test", { run: true, watch: false });
vitest.provide("hostilePictures", Number(values.count));
await vitest.start(["security/hostile-images/"]);
await vitest.close();
