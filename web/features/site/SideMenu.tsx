import { lazy, Suspense, useRef } from "react";
import { Link, useLocation } from "react-router";
import { type Session, useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { useScrollIntoView } from "#web/ui/use-scroll-into-view.ts";
import "./side-menu.css";

/** An entry of the menu. `counted` shows the number of new items. */
type Entry = {
  to: string;
  label: string;
  icon: IconName;
  prefetch?: "intent" | "render";
  counted?: true;
};

const profile: Entry = { to: paths.profile(), label: "Profile", icon: "user-round" };
/** Prefetched on hover only, because it includes the chart library. */
const overview: Entry = {
  to: paths.overview(),
  label: "Overview",
  icon: "chart-column",
  prefetch: "intent",
};
const saved: Entry = { to: paths.saved(), label: "Saved", icon: "heart" };
const messages: Entry = {
  to: paths.messages(),
  label: "Messages",
  icon: "mail",
  prefetch: "intent",
  counted: true,
};
const invitations: Entry = { to: "/dashboard/invitations", label: "Invitations", icon: "users" };
const myOrders: Entry = { to: paths.myOrders(), label: "My Orders", icon: "receipt-text" };
const sellers: Entry[] = [
  { to: paths.addProduct(), label: "Add Product", icon: "plus" },
  { to: paths.myProducts(), label: "My Products", icon: "laptop" },
  overview,
  { to: "/dashboard/payouts", label: "Payouts", icon: "credit-card" },
  messages,
  saved,
  invitations,
  profile,
];
const entries: Record<"buyer" | "seller" | "both" | "admin", Entry[]> = {
  buyer: [myOrders, messages, saved, invitations, profile],
  seller: sellers,
  both: [myOrders, ...sellers],
  admin: [
    { to: paths.allSellers(), label: "All Sellers", icon: "store" },
    { to: paths.allBuyers(), label: "All Buyers", icon: "users" },
    { to: paths.reportedItems(), label: "Reported Items", icon: "flag" },
    { to: "/dashboard/needsYou", label: "Needs you", icon: "hand", counted: true },
    { to: paths.payments(), label: "Payments", icon: "credit-card" },
    overview,
    { to: paths.auditLog(), label: "Audit Log", icon: "scroll-text" },
    profile,
  ],
};

const NewCount = lazy(() => import("./NewCount.tsx"));

/** The dashboard's side menu by role (specification 2, Dashboard layout); tabs on phones. */
export function SideMenu() {
  const session = useSession();
  return (
    <nav aria-label="Dashboard" className="side-menu min-h-11">
      {session && <Entries role={roleOf(session)} />}
    </nav>
  );
}

function Entries({ role }: { role: keyof typeof entries }) {
  const row = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  useScrollIntoView(row, pathname);
  return (
    <ul ref={row} className="strip px-2.5 lg:mx-0 lg:flex-col lg:px-0">
      {entries[role].map(({ to, label, icon, prefetch = "render", counted }) => (
        <li key={to}>
          <Link
            to={to}
            prefetch={prefetch}
            aria-current={ariaCurrent(to, pathname)}
            className="menu-entry"
          >
            <Icon name={icon} className="size-4.5" />
            {label}
            {counted && (
              <Suspense>
                <NewCount of={label} />
              </Suspense>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/**
 * The pages below an entry. Some pages, such as offers, are below both My Orders and My Products.
 */
const pagesBelow: Record<string, RegExp> = {
  [paths.myOrders()]: /d\/(payment\/|handover|complaint|offers|reviews)/,
  [paths.myProducts()]: /d\/(handover|complaint|offers|reviews|editP)/,
  [paths.payments()]: /d\/(ledger|complaint|deal)/,
  [paths.reportedItems()]: /d\/(listings|invitations|messages|reviews)/,
  [paths.overview()]: /d\/health/,
};

/** "page" for the current page, "true" for its parent. */
function ariaCurrent(to: string, pathname: string): "page" | "true" | undefined {
  if (pathname.replace(/\/$/, "") === to) return "page";
  return pagesBelow[to]?.test(pathname) ? "true" : undefined;
}

function roleOf({ isAdmin, isSeller, alsoBuys }: Session): keyof typeof entries {
  if (isAdmin) return "admin";
  if (alsoBuys) return "both";
  return isSeller ? "seller" : "buyer";
}
