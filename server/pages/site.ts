import FindMyWay from "find-my-way";
import type {
  createRequestHandler,
  RouterContext,
  RouterContextProvider,
  ServerBuild,
} from "react-router";
import type { Shop } from "#contract/shop.ts";
import type { CurrentShop } from "../current-shop.ts";
import { version } from "../version.ts";

/** Exports of `web/entry.server.tsx`. Loaders get their context through `pageContext`. */
type Entry = {
  createRequestHandler: typeof createRequestHandler;
  RouterContextProvider: typeof RouterContextProvider;
  pageContext: RouterContext<
    Omit<SiteSettings, "staging" | "shop"> & { fetch: typeof fetch; shop: Shop; version: string }
  >;
};

type Params = Record<string, string | undefined>;

/** `path`: the canonical path. By default, the page's own `path` is canonical. */
export type Lookup = { status: 200 | 404 | 410; path?: string };

type Handle = {
  lookUp?: (params: Params, call: typeof fetch) => Promise<Lookup>;
  readsQuery?: boolean | ((query: URLSearchParams) => boolean);
};

export type Page = {
  /** The canonical path: spelled as in the route table, without a trailing slash. */
  path: string;
  /** Has `-` for each parameter. If parameters are looked up, this is the 404 page. */
  template: string;
  /** The 410 page, with `gone` for each parameter. */
  gone: string;
  /** Undefined if the HTML is the same for all parameters. */
  lookUp?: (call: typeof fetch) => Promise<Lookup>;
  /** Whether the HTML depends on this query. If so, the page is not cached. */
  readsQuery: (search: string) => boolean;
};

export type Site = {
  find(pathname: string): Page | undefined;
  /** Loaders make API calls through `call`. */
  render(request: Request, call: typeof fetch): Promise<Response>;
};

/** Most settings are explained at `PageContext` in `web/api/api.ts`. */
export type SiteSettings = {
  production: boolean;
  staging: boolean;
  photosUrl?: string | undefined;
  usesFirebase?: boolean;
  shop: Pick<CurrentShop, "page">;
  logFailure: (error: unknown) => void;
};

type Mode = { mode: "production" | "development" };

export function createSite(
  build: ServerBuild,
  { mode, staging, shop, ...settings }: SiteSettings & Mode,
): Site {
  const entry = build.entry.module as unknown as Entry;
  const handle = entry.createRequestHandler(build, mode);
  return {
    find: pageFinder(build),
    render(request, call) {
      const context = new entry.RouterContextProvider();
      const page = staging ? testSite(shop.page) : shop.page;
      context.set(entry.pageContext, { ...settings, fetch: call, shop: page, version });
      return handle(request, context);
    },
  };
}

function testSite(shop: Shop): Shop {
  const line =
    "This is a test site. Use test cards only: no real payments are taken and nothing is delivered.";
  return { ...shop, announcement: `${line} ${shop.announcement ?? ""}`.trim() };
}

/** Avoids React Router's matching, which compiles all patterns for every match. */
function pageFinder(build: ServerBuild): Site["find"] {
  const router = FindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: 500,
  });
  const routes = Object.values(build.routes).filter((route) => route !== undefined);
  const parents = new Set(routes.map(({ parentId }) => parentId));
  for (const route of routes.filter(({ id, path }) => !parents.has(id) && path !== "*")) {
    const branch = branchOf(build, route);
    const pattern = `/${branch.flatMap(({ path }) => path || []).join("/")}`;
    router.on("GET", pattern, noHandler, pageOf(pattern, branch));
  }
  return (pathname) => {
    const match = router.find("GET", pathname);
    return match ? (match.store as ReturnType<typeof pageOf>)(match.params) : undefined;
  };
}

type Route = NonNullable<ServerBuild["routes"][string]>;

function branchOf(build: ServerBuild, route: Route): Route[] {
  const parent = route.parentId === undefined ? undefined : build.routes[route.parentId];
  return parent ? [...branchOf(build, parent), route] : [route];
}

function pageOf(pattern: string, branch: Route[]): (params: Params) => Page {
  const handles = branch.map(({ module }) => module.handle as Handle | undefined);
  const lookUp = handles.map((handle) => handle?.lookUp).find((found) => found !== undefined);
  const readers = handles.flatMap((handle) => handle?.readsQuery ?? []);
  const readsQuery = (search: string) =>
    readers.some((reads) =>
      typeof reads === "function" ? reads(new URLSearchParams(search)) : reads,
    );
  const fill = (value: (name: string) => string) =>
    pattern.replaceAll(/\/:(\w+)\??/g, (_, name) => value(name).replace(/^(?=.)/, "/"));
  const [template, gone] = [fill(() => "-"), fill(() => "gone")];
  return (params) => ({
    path: fill((name) => encodeURIComponent(params[name] ?? "")),
    template,
    gone,
    readsQuery,
    ...(lookUp && { lookUp: (call) => lookUp(params, call) }),
  });
}

function noHandler(): void {}
