import { readFileSync, writeFileSync } from "node:fs";
import { lifeCycle } from "./docs/life-cycle.ts";
import { specification } from "./docs/specification.ts";

/** With `--verify`, writes nothing and fails if a committed document differs. */
const documents = {
  "docs/life-cycle.md": lifeCycle,
  "docs/specification.md": specification,
};

const verify = process.argv.includes("--verify");
for (const [path, generate] of Object.entries(documents)) {
  const current = readFileSync(path, "utf8");
  const generated = await generate(current);
  if (generated === current) continue;
  if (!verify) writeFileSync(path, generated);
  else {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  }
}
