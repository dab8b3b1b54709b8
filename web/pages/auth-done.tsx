import { Link } from "react-router";
import { titled } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { browserQueries } from "#web/query-client.ts";
import { sessionByGoogleQuery } from "#web/session.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/auth-done.ts";

export const meta = titled("Continue with Google");

/** Where Google's window comes back to. It closes itself, and stays only when there is something to say. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const error = new URL(request.url).searchParams.get("error");
  if (error === null) await browserQueries.query({ ...sessionByGoogleQuery, staleTime: 0 });
  if (error === null || error === "access_denied") window.close();
  return error;
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function AuthDone({ loaderData: error }: Route.ComponentProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-6 py-12 text-center">
      <h1 className="text-title">{error === null ? "You are signed in" : "That did not work"}</h1>
      {error !== null && <p role="alert">{sentences[error] ?? sentences.other}</p>}
      <div className="flex flex-wrap justify-center gap-3">
        <Button look="plain" onClick={() => window.close()}>
          Close this window
        </Button>
        <Link to={paths.home()} className={buttonClass()}>
          Go to Secondlap
        </Link>
      </div>
    </div>
  );
}

const sentences: Record<string, string> = {
  email_not_verified:
    "Google has not verified your email address. Verify it with Google first, or sign up with a password.",
  account_not_linked:
    "There is already an account with this email, and its address was never proven. Log in with its password.",
  other: "Google did not let you in. Close this window and try again.",
};
