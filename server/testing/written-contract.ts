import { readFileSync } from "node:fs";

/**
 * The calls of the tables in `docs/contract.md`, as `GET /buyers`, the way a person reads them there, each with
 * its access word.
 */
export function callsWritten(): Map<string, string> {
  const markdown = readFileSync(new URL("../../docs/contract.md", import.meta.url), "utf8");
  const rows = markdown.matchAll(/^\| ((?:GET|POST|PUT|DELETE) .+?) \| (\w+)/gm);
  const calls = [...rows].flatMap(([, cell = "", access = ""]) => {
    const [first = "", ...others] = cell
      .replace(/\(.*\)/, "")
      .trim()
      .split(" · ");
    const [method = ""] = first.split(" ");
    const named = others.map((path) => (path.startsWith("/") ? `${method} ${path}` : path));
    return [first, ...named].map((one): [string, string] => [
      one.replace("{imageHost}", "/images").replace(/\?.*/, "").trim(),
      access,
    ]);
  });
  return new Map(calls);
}
