import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Route = Record<string, unknown> & { imports?: string[] };
type Manifest = { entry: { imports: string[] }; routes: Record<string, Route> };

const start = "window.__reactRouterManifest=";

/**
 * Every page loads React Router's list of routes, so it keeps only what browsers read. A missing
 * property is treated as false. On load, each route gets its key as its id.
 */
export async function shrinkManifest(dir: string): Promise<void> {
  for await (const file of glob("assets/manifest-*.js", { cwd: dir })) {
    const path = join(dir, file);
    const text = await readFile(path, "utf8");
    const manifest: Manifest = JSON.parse(text.slice(start.length).replace(/;\s*$/, ""));
    const routes = Object.fromEntries(
      Object.entries(manifest.routes).map(([id, route]) => [id, shrink(route, manifest)]),
    );
    const list = `${start}${JSON.stringify({ ...manifest, routes })}`;
    await writeFile(path, `for(let[id,route]of Object.entries((${list}).routes))route.id=id;`);
  }
}

function shrink(route: Route, { entry }: Manifest): Route {
  const { id, hasDefaultExport, ...read } = route;
  const imports = route.imports?.filter((file) => !entry.imports.includes(file)).sort();
  const properties: [string, unknown][] = Object.entries({ ...read, imports });
  return Object.fromEntries(properties.filter(([, value]) => value !== false));
}
