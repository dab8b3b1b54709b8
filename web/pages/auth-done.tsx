import { Link, replace } from "react-router";
import { safeDestination } from "#contract/safe-destination.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { closeGooglePopup } from "#web/auth/google-popup.ts";
import { finishGoogleSignIn } from "#web/auth/google-sign-in.ts";
import { pageMeta } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/auth-done.ts";
import { AuthCard } from "./auth-card.tsx";

/** Shows nothing of use without scripts (`web/start/app-start.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Continue with Google");

/** Google's redirect URI. In the popup it closes the window; in a tab it continues to `from`. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams: query } = new URL(request.url);
  const error = query.get("error");
  const from = query.get("from") ?? undefined;
  if (from === undefined) await closeGooglePopup(error);
  const entered = await finishGoogleSignIn(browserQueries, error).catch(({ message }: Error) => ({
    message,
  }));
  if (entered instanceof Object && "message" in entered) return { ...entered, from };
  if (entered === "second step") throw replace(paths.secondStep(from));
  throw replace(entered ? safeDestination(from) : paths.login(from));
}

export function HydrateFallback() {
  return <Spinner />;
}

export default function AuthDone({ loaderData: { message, from } }: Route.ComponentProps) {
  return (
    <AuthCard title="You're not signed in">
      <FormMessage message={message} />
      <Link to={paths.login(from)} className={buttonClass({ size: "large" })}>
        Go to Login
      </Link>
    </AuthCard>
  );
}
