import { lazy, type MouseEvent, Suspense } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { useSession, useSignedIn, useSignOut } from "#web/auth/session.ts";
import { dashboardPath, paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Logo } from "#web/ui/Logo.tsx";
import { useShop } from "#web/ui/use-shop.ts";
import { SearchBox } from "./SearchBox.tsx";

const MemberBar = lazy(() => import("./MemberBar.tsx").catch(() => ({ default: () => null })));

/** The navigation bar (specification 2.2). On phones, the links are in a menu. */
export function Header() {
  const session = useSession();
  const isSignedIn = useSignedIn();
  return (
    <header className="border-line border-b bg-base-100">
      <a href="#content" className={`${buttonClass()} skip-link`}>
        Skip to content
      </a>
      <div className="frame header-row">
        <Link to={paths.home()} aria-label={`${useShop().name}, home`} className="flex rounded-lg">
          <Logo />
        </Link>
        <SearchBox />
        <button type="button" popoverTarget="menu" aria-label="Menu" className="menu-button">
          <Icon name="menu" />
        </button>
        <nav id="menu" popover="auto" aria-label="Main" className="main-nav">
          <NavEntry to={paths.home()}>Home</NavEntry>
          <NavEntry to={paths.blogs()}>Blogs</NavEntry>
          {!isSignedIn && (
            // These elements stay once the session is known, so a focused link keeps focus.
            <span className={isSignedIn === undefined ? "visitor-only contents" : "contents"}>
              <NavEntry to={paths.login()}>Login</NavEntry>
              <ButtonLink to={paths.signUp()} size="small" onClick={closeMenu}>
                Sign up
              </ButtonLink>
            </span>
          )}
          {isSignedIn === undefined && <LinksPlaceholder />}
          {isSignedIn && (
            <MemberLinks dashboard={session ? dashboardPath(session) : paths.myOrders()} />
          )}
        </nav>
        {session === undefined && (
          <span className="member-only profile-link skeleton size-9 rounded-full" />
        )}
        {session && (
          <Link
            to={paths.profile()}
            aria-label={`Your profile, ${session.user.displayName}`}
            title={session.user.displayName}
            className="profile-link rounded-full"
          >
            <Avatar name={session.user.displayName} photo={session.user.photo} size="small" />
          </Link>
        )}
      </div>
      {session && (
        <Suspense>
          <MemberBar {...session} />
        </Suspense>
      )}
    </header>
  );
}

/** Closes the menu after a click on a link, because navigation within the app keeps it open. */
function closeMenu({ currentTarget }: MouseEvent): void {
  currentTarget.closest("nav")?.togglePopover?.(false);
}

function NavEntry({ to, children }: { to: string; children: string }) {
  return (
    <NavLink
      to={to}
      end={to === paths.home()}
      prefetch="intent"
      className="nav-entry"
      onClick={closeMenu}
    >
      {children}
    </NavLink>
  );
}

function MemberLinks({ dashboard }: { dashboard: string }) {
  const signOut = useSignOut();
  const { pathname } = useLocation();
  return (
    <>
      <Link
        to={dashboard}
        prefetch="render"
        aria-current={pathname.startsWith(paths.myOrders()) ? "true" : undefined}
        className="nav-entry"
        onClick={closeMenu}
      >
        Dashboard
      </Link>
      <Link to={paths.profile()} className="nav-entry md:hidden" onClick={closeMenu}>
        Profile
      </Link>
      <Button look="plain" size="small" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign Out
      </Button>
    </>
  );
}

/** Shown in place of a member's links while a token is stored but the session is unknown. */
function LinksPlaceholder() {
  return (
    <span className="member-only contents">
      <span className="skeleton h-8 w-[6.6rem]" />
      <span className="skeleton h-8 w-[5.3rem]" />
    </span>
  );
}
