import { lazy, Suspense, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";
import type { Session } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import "./menus.css";

const MenuCount = lazy(() => import("./MenuCount.tsx").catch(() => ({ default: () => null })));

/** Only phones have the bar, because wider windows show its links elsewhere. */
const phones = matchMedia("(width < 48rem)");

function watchWidth(onChange: () => void): () => void {
  phones.addEventListener("change", onChange);
  return () => phones.removeEventListener("change", onChange);
}

type Shortcut = { to: string; label: string; icon: IconName };

const messages: Shortcut = { to: paths.messages(), label: "Messages", icon: "mail" };

export default function MemberBar({ isAdmin, isSeller }: Session) {
  const { pathname } = useLocation();
  const isPhone = useSyncExternalStore(watchWidth, () => phones.matches);
  if (!isPhone) return null;
  const shortcuts: Shortcut[] = [
    { to: paths.home(), label: "Home", icon: "store" },
    { to: paths.search(), label: "Search", icon: "search" },
    ...(isAdmin ? forAdmins : [messages, isSeller ? myProducts : myOrders]),
    { to: paths.profile(), label: "Me", icon: "user-round" },
  ];
  return (
    <nav aria-label="Shortcuts" className="member-bar md:hidden">
      {shortcuts.map(({ to, label, icon }) => (
        <Link key={to} to={to} aria-current={pathname === to ? "page" : undefined}>
          <Icon name={icon} />
          {label}
          <Suspense>
            <MenuCount to={to} />
          </Suspense>
        </Link>
      ))}
    </nav>
  );
}

const myOrders: Shortcut = { to: paths.myOrders(), label: "Orders", icon: "receipt-text" };
const myProducts: Shortcut = { to: paths.myProducts(), label: "Products", icon: "laptop" };
const forAdmins: Shortcut[] = [
  { to: paths.needsYou(), label: "Needs You", icon: "hand" },
  { to: paths.allSellers(), label: "Sellers", icon: "users" },
];
