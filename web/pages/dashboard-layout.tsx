import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { ErrorScreen } from "#web/features/site/ErrorScreen.tsx";
import { Header } from "#web/features/site/Header.tsx";
import { SideMenu } from "#web/features/site/SideMenu.tsx";
import { titled } from "#web/meta.ts";

/** What shows in the window's title when a page below could not be opened. */
export const meta = titled("Something is in the way");

export default function DashboardLayout() {
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

/** Navigation bar, side menu, content (specification 2, Dashboard layout). */
function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <Header />
      <div className="frame grid grid-cols-1 gap-x-10 gap-y-6 py-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:py-12">
        <SideMenu />
        <main id="content" tabIndex={-1} className="min-h-[60vh] pb-16">
          {children}
        </main>
      </div>
    </>
  );
}
