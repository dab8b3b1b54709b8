import { Link, NavLink, useLocation } from "react-router";
import { type Session, useSession, useSignedIn, useSignOut } from "#web/auth/session.ts";
import { dashboardPath, paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Logo } from "#web/ui/Logo.tsx";
import { SiteSearch } from "./SiteSearch.tsx";

/** The navigation bar (specification 2). */
export function Header() {
  const session = useSession();
  const isSignedIn = useSignedIn();
  return (
    <header className="border-line border-b bg-base-100">
      <a href="#content" className={`${buttonClass()} skip-link`}>
        Skip to content
      </a>
      <div className="frame flex flex-wrap items-center justify-between gap-x-4 py-3 sm:py-4">
        <Link to={paths.home()} aria-label="Secondlap, home" className="flex rounded-lg">
          <Logo />
        </Link>
        <SiteSearch />
        <nav aria-label="Main" className="main-nav">
          <NavEntry to={paths.home()}>Home</NavEntry>
          <NavEntry to={paths.blogs()}>Blogs</NavEntry>
          {!isSignedIn && (
            <span className={isSignedIn === undefined ? "visitor-only contents" : "contents"}>
              <VisitorLinks />
            </span>
          )}
          {isSignedIn === undefined && <LinksPlaceholder />}
          {isSignedIn && (
            <MemberLinks dashboard={session ? dashboardPath(session) : paths.myOrders()} />
          )}
        </nav>
        {session === undefined && <span className="member-only skeleton size-9 rounded-full" />}
        {session && <ProfileLink {...session} />}
      </div>
    </header>
  );
}

function NavEntry({ to, children }: { to: string; children: string }) {
  return (
    <NavLink to={to} end={to === paths.home()} prefetch="intent" className="nav-entry">
      {children}
    </NavLink>
  );
}

function VisitorLinks() {
  return (
    <>
      <NavEntry to={paths.login()}>Login</NavEntry>
      <Link to={paths.signUp()} className={`${buttonClass({ size: "small" })} sm:ml-2`}>
        Sign up
      </Link>
    </>
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
      >
        Dashboard
      </Link>
      <Button
        look="plain"
        size="small"
        className="sm:ml-2"
        busy={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Sign Out
      </Button>
    </>
  );
}

function ProfileLink({ user: { displayName, photo } }: Session) {
  return (
    <Link
      to={paths.profile()}
      aria-label={`Your profile, ${displayName}`}
      title={displayName}
      className="flex rounded-full"
    >
      <Avatar name={displayName} photo={photo} size="small" />
    </Link>
  );
}

/**
 * Placeholders for a member's links, shown while the session is unknown and a token is stored.
 * Without a token, the visitor's links show. These links stay the same elements once the session is
 * known, so that they keep the focus.
 */
function LinksPlaceholder() {
  return (
    <span className="member-only contents">
      <span className="skeleton h-8 w-[6.6rem]" />
      <span className="skeleton h-8 w-[5.3rem] sm:ml-2" />
    </span>
  );
}
