import bricolage from "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url";
import instrument from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from "react-router";
import "./app.css";
import type { Route } from "./+types/root.ts";
import { inStaging } from "./api/api.ts";
import { browserQueries } from "./api/query-client.ts";
import { ServerRenderContext } from "./api/server-render.ts";
import { ErrorScreen } from "./features/site/ErrorScreen.tsx";
import { NavigationProgress } from "./features/site/NavigationProgress.tsx";
import { SessionSync } from "./features/site/SessionSync.tsx";
import { StagingBanner } from "./features/site/StagingBanner.tsx";
import { earlySubmitScript, replayEarlySubmit } from "./ui/early-submit.ts";
import { Toaster } from "./ui/Toaster.tsx";

export function links() {
  const font = {
    rel: "preload",
    as: "font",
    type: "font/woff2",
    crossOrigin: "anonymous",
  } as const;
  return [
    { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
    { rel: "manifest", href: "/manifest.webmanifest" },
    { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
    { ...font, href: instrument },
    { ...font, href: bricolage },
  ];
}

/** The origin for absolute URLs in meta tags, and whether this is a staging site. */
export function loader({ request, context }: Route.LoaderArgs) {
  return { origin: new URL(request.url).origin, staging: context.get(inStaging) };
}

export function clientLoader() {
  return {
    origin: location.origin,
    staging: document.documentElement.dataset.staging !== undefined,
  };
}

/**
 * The Trusted Types policy (`server/pages/content-security-policy.ts`): allows the one HTML string React uses
 * to create script elements, and any script URL, because the CSP decides which may load. Also tells zod not
 * to probe for `eval`.
 */
const trustedTypesScript = String.raw`self.__zod_globalConfig={jitless:true};self.trustedTypes?.createPolicy("default",{createHTML:t=>t==="\x3cscript>\x3c/script>"?t:null,createScriptURL:u=>u})`;

/** Runs before first paint: with a stored token the Login link stays hidden until the session is known. */
const memberMarkerScript =
  "try{if(localStorage.accessToken)document.documentElement.dataset.member=1}catch{}";

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(ServerRenderContext)?.nonce;
  const staging = useRouteLoaderData<typeof loader>("root")?.staging;
  return (
    <html lang="en" data-staging={staging ? "" : undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fefefc" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#162220" media="(prefers-color-scheme: dark)" />
        <script nonce={nonce}>{trustedTypesScript}</script>
        <script nonce={nonce}>{memberMarkerScript}</script>
        <script nonce={nonce}>{earlySubmitScript}</script>
        <Meta />
        <Links />
      </head>
      <body>
        {staging && <StagingBanner />}
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** The worker shows an offline page (web/public/sw.js); it is optional. */
if (import.meta.env.PROD && !import.meta.env.SSR)
  addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {}));

export default function App() {
  return (
    <Providers>
      <NavigationProgress />
      <SessionSync />
      <Outlet />
    </Providers>
  );
}

/** Errors that no layout's boundary caught. */
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
  useEffect(replayEarlySubmit, []);
  return (
    <QueryClientProvider client={queries}>
      {children}
      <Toaster />
    </QueryClientProvider>
  );
}
