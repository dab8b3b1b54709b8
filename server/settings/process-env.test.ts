import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("in server/, only config.ts reads environment variables", () => {
  const root = join(import.meta.dirname, "..");
  const files = globSync("**/*.ts", { cwd: root }).filter(
    (file) => !/\.(test|emulator|varnish|deploy)\.ts$|^testing\//.test(file),
  );
  const readers = files.filter((file) =>
    readFileSync(join(root, file), "utf8").includes("process.env"),
  );
  expect(readers).toEqual(["config.ts"]);
});
