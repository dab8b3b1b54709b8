import {
  createRequestHandler,
  matchRoutes,
  type RouteObject,
  type RouterContext,
  RouterContextProvider,
  type ServerBuild,
} from "react-router";

/** What `web/entry.server.tsx` exports besides React Router's own: how loaders reach the calls. */
type Entry = {
  fetchContext: RouterContext<typeof fetch>;
  inProduction: RouterContext<boolean>;
  inStaging: RouterContext<boolean>;
  logFailure: RouterContext<(error: unknown) => void>;
};

type Params = Record<string, string | undefined>;

/** What a route module says in `handle`: whether the thing its parameters name exists. */
type Handle = { exists?: (params: Params, call: typeof fetch) => Promise<boolean> };

/** The page a path leads to. */
export type Page = {
  /** The one path of this page: no trailing slash, written as in the route table. */
  path: string;
  /** The path of its route with `-` for each parameter. */
  template: string;
  /** Whether what the parameters name exists; left out where the HTML is the same for all parameters. */
  exists?: (call: typeof fetch) => Promise<boolean>;
};

/** The web app on the server: which pages it has, and how they are rendered. */
export type Site = {
  /** The page at this path; undefined where the route table has none. */
  find(pathname: string): Page | undefined;
  /** Renders a page; its loaders make calls of ours through `call`. */
  render(request: Request, call: typeof fetch): Promise<Response>;
};

/** Where it logs what fails while a page is rendered. */
export type Logging = { logFailure: (error: unknown) => void };

type Setting = {
  mode: "production" | "development";
  production: boolean;
  staging: boolean;
} & Logging;

/** The site of a build of the web app. */
export function createSite(
  build: ServerBuild,
  { mode, production, staging, logFailure }: Setting,
): Site {
  const handle = createRequestHandler(build, mode);
  const entry = build.entry.module as unknown as Entry;
  const routes = routesBelow(build, undefined);
  return {
    find: (pathname) => findPage(build, routes, pathname),
    render(request, call) {
      const context = new RouterContextProvider();
      context.set(entry.fetchContext, call);
      context.set(entry.inProduction, production);
      context.set(entry.inStaging, staging);
      context.set(entry.logFailure, logFailure);
      return handle(request, context);
    },
  };
}

function routesBelow({ routes }: ServerBuild, parent: string | undefined): RouteObject[] {
  return Object.values(routes)
    .filter((route) => route !== undefined && route.parentId === parent)
    .map((route) => {
      const { id, path, index, caseSensitive } = route as NonNullable<typeof route>;
      const common = {
        id,
        ...(path !== undefined && { path }),
        ...(caseSensitive && { caseSensitive }),
      };
      if (index) return { ...common, index: true };
      return { ...common, children: routesBelow({ routes } as ServerBuild, id) };
    });
}

function findPage(build: ServerBuild, routes: RouteObject[], pathname: string): Page | undefined {
  const matches = matchRoutes(routes, pathname.replaceAll(/\/{2,}/g, "/")) ?? [];
  const leaf = matches.at(-1);
  if (!leaf || leaf.route.path === "*") return undefined;
  const { params } = leaf;
  const pattern = matches.flatMap(({ route }) => route.path?.split("/") ?? []).filter(Boolean);
  const filled = (value: (name: string) => string) =>
    `/${pattern.map((part) => (part.startsWith(":") ? value(part.slice(1)) : part)).join("/")}`;
  const handles = matches.map(
    ({ route }) => build.routes[route.id ?? ""]?.module.handle as Handle | undefined,
  );
  const exists = handles.find((handle) => handle?.exists)?.exists;
  return {
    path: filled((name) => encodeURIComponent(params[name] ?? "")),
    template: filled(() => "-"),
    ...(exists && { exists: (call: typeof fetch) => exists(params, call) }),
  };
}
