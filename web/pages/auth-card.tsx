import type { ReactNode } from "react";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { textOf } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { beforePayment } from "#contract/deal-texts.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { useMemberDestination, useReturnPath } from "#web/auth/return-path.ts";
import { type LoginReason, loginReason } from "#web/start/login-reason.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";

/** Waits for the settings. Otherwise, late buttons or a late inbox link would shift the page. */
export async function loadConfig() {
  await browserQueries.prefetchQuery({ ...queryOf(readConfig, {}), staleTime: "static" });
  return undefined;
}

export function useEmailFromState(): string {
  const { state } = useLocation();
  return textOf(state, "email") ?? "";
}

type AuthCardProps = { title: string; children: ReactNode };

/** Shows a form to visitors. Redirects members. */
export function AuthPage(props: AuthCardProps) {
  const from = useReturnPath();
  const destination = useMemberDestination();
  if (destination !== undefined) return <Navigate to={destination} replace />;
  return (
    <AuthCard {...props}>
      <Reason from={from} />
      {props.children}
    </AuthCard>
  );
}

/**
 * The server's page is the same for everyone, so it contains all reasons. The page loader marks the
 * reason to show, so that the form doesn't move later.
 */
function Reason({ from }: { from: string | undefined }) {
  if (useHydrated()) {
    const reason = loginReason(from);
    return reason && <p className="-mt-3 text-muted">{loginReasons[reason]}</p>;
  }
  return Object.entries(loginReasons).map(([reason, text]) => (
    <p key={reason} data-reason={reason} className="login-reason -mt-3 text-muted">
      {text}
    </p>
  ));
}

const loginReasons: Record<LoginReason, string> = {
  book: "Log in or sign up to book this laptop.",
  report: "Log in or sign up to report this laptop.",
  category: "Log in or sign up to see the laptops in this category.",
  page: "Log in to open that page. We'll bring you straight back.",
};

export function AuthCard({ title, children }: AuthCardProps) {
  return (
    <div className="auth-card">
      <div className="flex flex-col gap-6 p-6 sm:p-10">
        <h1 className="text-title">{title}</h1>
        {children}
      </div>
      <aside className="auth-card-side on-deep">
        <p className="font-display font-semibold text-title">{beforePayment.payWhenSure}</p>
        <ul className="flex flex-col gap-4">
          {reasons.map((reason) => (
            <li key={reason} className="flex gap-3 text-balance">
              <Icon name="check" className="mt-0.5 size-5 flex-none text-accent" />
              {reason}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}

const reasons = [
  beforePayment.holdIsFree,
  beforePayment.moneyIsKept,
  "A badge shows which sellers our team has verified.",
];

type LinkTokenProps = { children: (token: string | undefined) => ReactNode };

/** Moves the token from the query to the history state, so that it leaves the address bar. */
export function LinkToken({ children }: LinkTokenProps) {
  const isHydrated = useHydrated();
  const [query] = useSearchParams();
  const { pathname, state } = useLocation();
  if (!isHydrated) return <Spinner />;
  const token = query.get("token");
  if (token !== null) return <Navigate to={pathname} state={{ token }} replace />;
  return children(textOf(state, "token"));
}
