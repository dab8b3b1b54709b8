import { globSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

/**
 * In the browser, each plain contract value (call, list, text) becomes a module of its own.
 * Otherwise pages would also load zod and the schemas in the same file.
 */
export function plainContract(): Plugin {
  const prefix = "\0plain-contract:";
  let values: Promise<Map<string, Record<string, unknown>>>;
  return {
    name: "plain-contract",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    buildStart() {
      values ??= readContract();
    },
    resolveId: (source) => (source.startsWith(prefix) ? source : undefined),
    async load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const [file = "", name = ""] = id.slice(prefix.length).split(":");
      return `export const ${name} = ${JSON.stringify((await values).get(file)?.[name])};`;
    },
    async transform(code, id) {
      if (!/\/web\/.*\.tsx?$/.test(id) || !code.includes("#contract/")) return undefined;
      const known = await values;
      return code.replaceAll(namedImport, (statement, names: string, file: string) =>
        splitImport(statement, names, { file, plain: known.get(file) ?? {}, prefix }),
      );
    },
  };
}

const namedImport = /import \{([^}]*)\} from "#contract\/([^"]+)";/g;

type Source = { file: string; plain: Record<string, unknown>; prefix: string };

function splitImport(statement: string, names: string, { file, plain, prefix }: Source): string {
  const all = names.split(",").map((name) => name.trim());
  const values = all.filter((name) => name !== "" && !name.startsWith("type "));
  const isPlain = (value: string) => nameOf(value) in plain;
  const [light, rest] = [values.filter(isPlain), values.filter((value) => !isPlain(value))];
  if (light.length === 0) return statement;
  // Types need no import here. The line breaks stay, for source maps.
  const lines = "\n".repeat(statement.split("\n").length - 1);
  const own = rest.length > 0 ? `import { ${rest.join(", ")} } from "#contract/${file}";` : "";
  const plainOnes = light.map(
    (value) => `import { ${value} } from ${JSON.stringify(`${prefix}${file}:${nameOf(value)}`)};`,
  );
  return `${plainOnes.join("")}${own}${lines}`;
}

function nameOf(imported: string): string {
  return imported.split(" as ")[0] ?? "";
}

async function readContract(): Promise<Map<string, Record<string, unknown>>> {
  const files = globSync("contract/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const read = files.map(async (file) => {
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
    const plain = Object.entries(exported).flatMap(([name, value]) => {
      const data = plainValue(value);
      return data === undefined ? [] : [[name, data]];
    });
    return [basename(file), Object.fromEntries(plain)] as const;
  });
  return new Map(await Promise.all(read));
}

/** The part that browsers need: some properties of a call, or any other value if it is JSON. */
function plainValue(value: unknown): unknown {
  if (isCall(value)) {
    const { method, path, access, reads, changes, at, paged, transport } = value;
    return { method, path, access, reads, changes, at, paged, transport };
  }
  return isJson(value) ? value : undefined;
}

function isCall(value: unknown): value is Record<string, unknown> {
  return value instanceof Object && "answers" in value && "access" in value;
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (value instanceof Object)
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
  return ["string", "number", "boolean"].includes(typeof value);
}
