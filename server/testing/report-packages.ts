import { registerHooks } from "node:module";

/** Preloaded with `--import`. When the program ends, prints the packages that it has loaded. */
const packages = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    return nextLoad(url, context);
  },
});
process.on("exit", () => process.stdout.write(`loaded: ${[...packages].join(" ")}\n`));
