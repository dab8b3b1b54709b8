import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { StumbleDrawing } from "#web/ui/illustrations.tsx";

/** What a page shows that is not there (specification 2, the route *). */
export function NotFound() {
  return (
    <div className="flex flex-col items-center gap-6 py-8 text-center">
      <StumbleDrawing className="w-full max-w-sm" title="A laptop that has lost its way" />
      <h1 className="text-title">This page is not here</h1>
      <p className="max-w-prose text-muted">
        The address may have a slip in it, or the laptop it led to has found a new owner.
      </p>
      <Link to={paths.home()} className={buttonClass()}>
        Go back to Home
      </Link>
    </div>
  );
}
