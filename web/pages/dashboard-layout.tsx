import { lazy, type ReactNode, Suspense } from "react";
import { Outlet } from "react-router";
import { useSession } from "#web/auth/session.ts";
import { ConfirmEmailReminder } from "#web/features/members/ConfirmEmailReminder.tsx";
import { ErrorScreen } from "#web/features/site/ErrorScreen.tsx";
import { Header } from "#web/features/site/Header.tsx";
import { SideMenu } from "#web/features/site/SideMenu.tsx";

/** These pages need scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export { failedPageMeta as meta } from "#web/features/site/ErrorScreen.tsx";

const KeepFocus = lazy(() =>
  import("#web/features/site/KeepFocus.tsx").catch(() => ({ default: () => null })),
);

export default function DashboardLayout() {
  return (
    <Frame menu={<SideMenu />}>
      <Outlet />
      <Suspense>
        <KeepFocus />
      </Suspense>
    </Frame>
  );
}

/** Without a session, there is no menu to show. */
export function ErrorBoundary() {
  const session = useSession();
  return (
    <Frame menu={session ? <SideMenu /> : null}>
      <ErrorScreen />
    </Frame>
  );
}

function Frame({ menu, children }: { menu: ReactNode; children: ReactNode }) {
  return (
    <>
      <Header />
      <div
        className={`frame grid grid-cols-1 gap-x-10 gap-y-6 py-6 lg:py-12 ${menu ? "lg:grid-cols-[13rem_minmax(0,1fr)]" : ""}`}
      >
        {menu}
        <main id="content" tabIndex={-1} className="min-h-[60vh] pb-16">
          <ConfirmEmailReminder />
          {children}
        </main>
      </div>
    </>
  );
}
