import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { ErrorIllustration } from "#web/ui/illustrations.tsx";

/** The not-found page (specification 2, the route *). */
export function NotFound() {
  return (
    <Missing title="Page not found">
      The link may be wrong, or the laptop may have been sold.
    </Missing>
  );
}

/** Shown for a laptop that was removed for good. */
export function Removed() {
  return <Missing title="This laptop was removed">It is no longer for sale here.</Missing>;
}

function Missing({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-6 py-8 text-center">
      <ErrorIllustration className="w-full max-w-sm" />
      <h1 className="text-title">{title}</h1>
      <p className="max-w-prose text-muted">{children}</p>
      <Link to={paths.home()} className={buttonClass()}>
        Go back to Home
      </Link>
    </div>
  );
}
