import pageLoader from "virtual:page-loader";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useContext, useEffect } from "react";
import {
  Links,
  Meta,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteLoaderData,
} from "react-router";
import bricolage from "./ui/fonts/bricolage-grotesque.woff2?url";
import instrument from "./ui/fonts/instrument-sans.woff2?url";
import "./app.css";
import { setCurrency } from "#contract/price.ts";
import type { Shop } from "#contract/shop.ts";
import type { Route } from "./+types/root.ts";
import { pageContext } from "./api/api.ts";
import { browserQueries } from "./api/query-client.ts";
import { ErrorScreen } from "./features/site/ErrorScreen.tsx";
import { SessionSync } from "./features/site/SessionSync.tsx";
import { inScript } from "./page-meta.ts";
import { replayEarlyInput } from "./start/early-input.ts";
import { ServerRenderContext, speculationRules } from "./start/server-render.ts";
import { Toaster } from "./ui/Toaster.tsx";
import { useHydrated } from "./ui/use-hydrated.ts";

export function links() {
  const font = {
    rel: "preload",
    as: "font",
    type: "font/woff2",
    crossOrigin: "anonymous",
  } as const;
  return [
    { rel: "manifest", href: "/manifest.webmanifest" },
    { ...font, href: instrument },
    { ...font, href: bricolage },
  ];
}

/** `origin` is for meta tags and for recognizing our images. Sets the currency of all prices. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { shop, usesFirebase, photosUrl } = context.get(pageContext);
  setCurrency(shop.currency);
  return {
    origin: new URL(request.url).origin,
    firebase: usesFirebase,
    photosUrl,
    shop,
  };
}

export function clientLoader() {
  const { identity, photos, origin, shop } = document.documentElement.dataset;
  return {
    origin: String(origin),
    firebase: identity !== undefined,
    photosUrl: photos,
    shop: JSON.parse(String(shop)) as Shop,
  };
}

/** In development, React Router's modules throw unless this module ran before them. */
const hmrRuntime = "/@id/__x00__virtual:react-router/inject-hmr-runtime";

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, start, version } = useContext(ServerRenderContext) ?? {};
  const root = useRouteLoaderData<typeof loader>("root");
  const { origin, firebase, photosUrl, shop } = root ?? {};
  return (
    <html
      lang="en"
      data-identity={firebase ? "firebase" : undefined}
      data-photos={photosUrl}
      data-origin={origin}
      data-currency={shop?.currency}
      data-shop={JSON.stringify(shop)}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fefefc" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#162220" media="(prefers-color-scheme: dark)" />
        <script id="app-start" type="application/json" suppressHydrationWarning>
          {start ? inScript(start) : ""}
        </script>
        <script nonce={nonce} suppressHydrationWarning>
          {import.meta.env.SSR ? pageLoader : ""}
        </script>
        {import.meta.env.DEV && <script type="module" src={hmrRuntime} />}
        <Meta />
        <Links />
        <link rel="icon" href={shop?.icon || "/favicon.svg"} />
        <link rel="apple-touch-icon" href={shop?.icon || "/apple-touch-icon.png"} />
        {shop?.colors && <link rel="stylesheet" href={shop.colors} />}
        {start?.isEager && start.preload.map(preloadModule)}
        {import.meta.env.SSR && !start?.isEager && (
          <script type="speculationrules" nonce={nonce}>
            {inScript(speculationRules)}
          </script>
        )}
        {import.meta.env.SSR && root && <OrganizationJsonLd {...root} />}
      </head>
      <body>
        {shop?.announcement && (
          <p
            role="note"
            className="bg-warning px-5 py-2 text-center font-medium text-sm text-warning-content"
          >
            {shop.announcement}
          </p>
        )}
        {children}
        {/* For operators who read the page's HTML. */}
        {import.meta.env.SSR && <template data-version={version} />}
        <ScrollRestoration />
      </body>
    </html>
  );
}

function preloadModule(href: string) {
  return <link key={href} rel="modulepreload" href={href} />;
}

export default function App() {
  return (
    <Providers>
      <NavigationProgress />
      <SessionSync />
      <Outlet />
      {useHydrated() && (
        <Suspense>
          <Banners />
        </Suspense>
      )}
    </Providers>
  );
}

const Banners = lazy(() => import("./pages/Banners.tsx").catch(() => ({ default: () => null })));

/** Shows errors that no layout's boundary caught. */
export function ErrorBoundary() {
  return (
    <Providers>
      <main className="mx-auto max-w-3xl px-5 py-24">
        <ErrorScreen />
      </main>
    </Providers>
  );
}

function Providers({ children }: { children: ReactNode }) {
  const queries = useContext(ServerRenderContext)?.queries ?? browserQueries;
  useEffect(() => {
    replayEarlyInput();
    addEventListener("hydrated", replayEarlyInput);
    return () => removeEventListener("hydrated", replayEarlyInput);
  }, []);
  return (
    <QueryClientProvider client={queries}>
      {children}
      <Toaster />
    </QueryClientProvider>
  );
}

/** Hidden during short waits. */
function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div role="status" className="navigation-progress">
      <span className="sr-only">Loading page</span>
    </div>
  );
}

/** The shop as schema.org's Organization on Home, for search engines, which read the markup. */
function OrganizationJsonLd({ shop, origin }: { shop: Shop; origin: string }) {
  if (useLocation().pathname !== "/") return null;
  const { name, logo, operator, social } = shop;
  const profiles = Object.values(social ?? {}).filter((address) => address !== "");
  return (
    <script type="application/ld+json">
      {inScript({
        "@context": "https://schema.org",
        "@type": "Organization",
        name,
        url: origin,
        logo: `${origin}${logo ?? "/icon-512.png"}`,
        ...(operator && { legalName: operator.name, address: operator.address }),
        ...(operator?.email && { email: operator.email }),
        ...(profiles.length > 0 && { sameAs: profiles }),
      })}
    </script>
  );
}
