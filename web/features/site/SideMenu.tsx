import { lazy, Suspense, useRef } from "react";
import { Link, useLocation } from "react-router";
import { type Session, useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { useScrollIntoView } from "#web/ui/use-scroll-into-view.ts";
import "./menus.css";

/** `below` matches the pages below the entry. Some, such as offers, are below two entries. */
export type Entry = [to: string, label: string, icon: IconName, below?: RegExp];

const profile: Entry = [paths.profile(), "Profile", "user-round"];
const saved: Entry = [paths.saved(), "Saved", "heart"];
const messages: Entry = [paths.messages(), "Messages", "mail"];
const invitations: Entry = [paths.invitations(), "Invitations", "users"];
const myOrders: Entry = [
  paths.myOrders(),
  "My Orders",
  "receipt-text",
  /d\/(payment\/|handover|complaint|offers|reviews)/,
];
const sellers: Entry[] = [
  [paths.addProduct(), "Add Product", "plus"],
  [paths.myProducts(), "My Products", "laptop", /d\/(handover|complaint|offers|reviews|editP)/],
  [paths.overview(), "Overview", "chart-column"],
  [paths.payouts(), "Payouts", "credit-card"],
  messages,
  saved,
  invitations,
  profile,
];
const buyers: Entry[] = [myOrders, messages, saved, invitations, profile];

/** Prefetched only on hover or focus: Overview has a chart library, and Messages changes often. */
const onHover = new Set([paths.overview(), paths.messages()]);

/** Loaded on demand, because only admins see them. */
const SideMenuAdminEntries = lazy(() => import("./SideMenuAdminEntries.tsx"));

const MenuCount = lazy(() => import("./MenuCount.tsx").catch(() => ({ default: () => null })));

/** The dashboard's menu by role (specification 2.2). A row in narrow windows. */
export function SideMenu() {
  const session = useSession();
  return (
    <nav aria-label="Dashboard" className="side-menu min-h-11">
      {session?.isAdmin ? (
        <Suspense>
          <SideMenuAdminEntries role={session.staffRole}>
            {(entries) => <Entries entries={entries} />}
          </SideMenuAdminEntries>
        </Suspense>
      ) : (
        session && <Entries entries={entriesFor(session)} />
      )}
    </nav>
  );
}

function Entries({ entries }: { entries: Entry[] }) {
  const row = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  useScrollIntoView(row, pathname);
  return (
    <ul ref={row} className="strip pl-2.5 lg:mx-0 lg:flex-col lg:px-0">
      {entries.map((entry) => {
        const [to, label, icon] = entry;
        return (
          <li key={to}>
            <Link
              to={to}
              prefetch={onHover.has(to) ? "intent" : "render"}
              aria-current={ariaCurrent(entry, pathname)}
              className="menu-entry"
            >
              <Icon name={icon} className="size-4.5" />
              {label}
              <Suspense>
                <MenuCount to={to} />
              </Suspense>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function ariaCurrent([to, , , below]: Entry, pathname: string): "page" | "true" | undefined {
  if (pathname.replace(/\/$/, "") === to) return "page";
  return below?.test(pathname) ? "true" : undefined;
}

function entriesFor({ isSeller, alsoBuys }: Session): Entry[] {
  if (alsoBuys) return [myOrders, ...sellers];
  return isSeller ? sellers : buyers;
}
