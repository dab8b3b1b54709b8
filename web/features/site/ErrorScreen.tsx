import { lazy, Suspense } from "react";
import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { textOf } from "#contract/client.ts";
import type { NeedsRole } from "#web/auth/guard.ts";
import { useSignOut } from "#web/auth/session.ts";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { ErrorIllustration } from "#web/ui/illustrations.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";

const WrongRole = lazy(() => import("./WrongRole.tsx"));

/** The error screen of both layouts (specification 2.1). */
export function ErrorScreen() {
  const error = useRouteError();
  const role = neededRole(error);
  if (role)
    return (
      <Suspense>
        <WrongRole role={role} />
      </Suspense>
    );
  const missing = missingPageOf(error);
  if (missing) return <Missing {...missing} />;
  return <UnexpectedError error={error} />;
}

/** A layout's meta tags, for pages that fail to load. */
export function failedPageMeta(route: MetaArgs & { error?: unknown }) {
  return metaTags({ title: missingPageOf(route.error)?.title ?? "Page not available" }, route);
}

type MissingPage = { title: string; text: string };

/** By status. For a 410, an admin took the laptop down, or the seller's account is deleted. */
const missingPages: Record<number, MissingPage> = {
  404: {
    title: "Page not found",
    text: "The link may be wrong, or the page may have been removed.",
  },
  410: {
    title: "This page was removed",
    text: "The laptop is no longer for sale here, or the seller has left.",
  },
};

function missingPageOf(error: unknown): MissingPage | undefined {
  return isRouteErrorResponse(error) ? missingPages[error.status] : undefined;
}

/** The not-found page (specification 2.3). */
export function NotFound() {
  return <Missing {...missingPages[404]} />;
}

function Missing({ title, text }: Partial<MissingPage>) {
  return (
    <div className="flex flex-col items-center gap-6 py-8 text-center">
      <ErrorIllustration className="w-full max-w-sm" />
      <h1 className="text-title">{title}</h1>
      <p className="max-w-prose text-muted">{text}</p>
      <ButtonLink to={paths.home()}>Go back to Home</ButtonLink>
    </div>
  );
}

function UnexpectedError({ error }: { error: unknown }) {
  const signOut = useSignOut();
  const { revalidate, state } = useRevalidator();
  const tryAgain = isChunkLoadError(error) ? () => location.reload() : revalidate;
  return (
    <div role="alert" className="flex flex-col items-center gap-6 py-12 text-center">
      <ErrorIllustration className="w-64" />
      <h1 className="text-title">Something went wrong!!!</h1>
      <p className="max-w-prose text-muted">{messageFor(error)}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button busy={state === "loading"} onClick={() => void tryAgain()}>
          Try again
        </Button>
        <Button look="plain" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </div>
    </div>
  );
}

function neededRole(error: unknown) {
  if (!isRouteErrorResponse(error)) return undefined;
  return textOf(error.data, "needs") as NeedsRole["needs"] | undefined;
}

/** Whether a page's script didn't load (scripts/patches). Some browsers retry only on reload. */
function isChunkLoadError(error: unknown): boolean {
  return error instanceof Error && error.name === "PageNotFetched";
}

function messageFor(error: unknown): string {
  if (isChunkLoadError(error))
    return "We couldn't load this page. Check your connection and try again.";
  if (isRouteErrorResponse(error))
    return error.statusText || `The server answered with error ${error.status}.`;
  return error instanceof Error && error.message ? error.message : "Please try again.";
}
