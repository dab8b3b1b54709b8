import { readFileSync, writeFileSync } from "node:fs";
import { contract } from "./docs/contract.ts";
import { lifeCycle } from "./docs/life-cycle.ts";
import { scale } from "./docs/scale.ts";
import { specification } from "./docs/specification.ts";

/**
 * Writes the generated documents, each from its source. With `--verify` it writes nothing and fails when
 * a committed document differs.
 */
const documents = {
  "docs/contract.md": contract,
  "docs/life-cycle.md": lifeCycle,
  "docs/scale.md": scale,
  "docs/specification.md": specification,
};

for (const [path, generate] of Object.entries(documents)) {
  const current = readFileSync(path, "utf8");
  const generated = await generate(current);
  if (generated === current) continue;
  if (!process.argv.includes("--verify")) writeFileSync(path, generated);
  else {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  }
}
