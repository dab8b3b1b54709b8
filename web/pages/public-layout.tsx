import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { ErrorScreen } from "#web/features/site/ErrorScreen.tsx";
import { Footer } from "#web/features/site/Footer.tsx";
import { Header } from "#web/features/site/Header.tsx";

export { failedPageMeta as meta } from "#web/features/site/ErrorScreen.tsx";

export default function PublicLayout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  return (
    <Frame>
      <ErrorScreen />
    </Frame>
  );
}

/** Content at least as tall as the window keeps the footer from shifting. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <Header />
      <main id="content" tabIndex={-1} className="frame min-h-dvh py-8 sm:py-12">
        {children}
      </main>
      <Footer />
    </>
  );
}
