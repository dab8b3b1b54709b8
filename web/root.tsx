import bricolage from "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url";
import instrument from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from "react-router";
import "./app.css";
import type { Route } from "./+types/root.ts";
import { inStaging } from "./api/api.ts";
import { browserQueries, createQueryClient } from "./api/query-client.ts";
import { CspNonce } from "./csp-nonce.ts";
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

/** Where the site is, for the tags that name whole addresses (web/meta.ts), and whether it is a test shop. */
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
 * Who may turn text into markup or script (`server/pages/content-security-policy.ts`): React, for the one way it makes a
 * script element; and any address as a script's, since the content policy says which of them load. Zod is
 * told not to try whether it may, and not to.
 */
const trustTypes = String.raw`self.__zod_globalConfig={jitless:true};self.trustedTypes?.createPolicy("default",{createHTML:t=>t==="\x3cscript>\x3c/script>"?t:null,createScriptURL:u=>u})`;

/** Runs before the first paint: who has a token stored is shown no Login button while we look who it is. */
const markMember =
  "try{if(localStorage.accessToken)document.documentElement.dataset.member=1}catch{}";

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(CspNonce);
  const staging = useRouteLoaderData<typeof loader>("root")?.staging;
  return (
    <html lang="en" data-staging={staging ? "" : undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fefefc" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#162220" media="(prefers-color-scheme: dark)" />
        <script nonce={nonce}>{trustTypes}</script>
        <script nonce={nonce}>{markMember}</script>
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

/** Says so where the network is gone (web/public/sw.js); a browser that won't have it does without. */
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

/** The last resort: an error that no layout's own error screen caught. */
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
  const [queries] = useState(() => (import.meta.env.SSR ? createQueryClient() : browserQueries));
  useEffect(replayEarlySubmit, []);
  return (
    <QueryClientProvider client={queries}>
      {children}
      <Toaster />
    </QueryClientProvider>
  );
}
