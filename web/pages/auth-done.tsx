import { replace } from "react-router";
import { readConfig } from "#contract/config.ts";
import { safeDestination } from "#contract/page-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { closeSignInPopup, finishProviderSignIn } from "#web/auth/provider-sign-in.ts";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { FormMessage } from "#web/ui/Form.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import type { Route } from "./+types/auth-done.ts";
import { AuthCard } from "./auth-card.tsx";

/** The page needs scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Signing in");

/** Closes the popup; without a popup, continues to `from`. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams: query } = new URL(request.url);
  const error = query.get("error");
  const from = query.get("from") ?? undefined;
  if (from === undefined) await closeSignInPopup(error);
  const label = error === null ? "" : await labelOf(query.get("provider"));
  const entered = await finishProviderSignIn(error, label).catch(({ message }: Error) => ({
    message,
  }));
  if (entered instanceof Object && "message" in entered) return { ...entered, from };
  if (entered === "second step") throw replace(paths.secondStep(from));
  throw replace(entered ? safeDestination(from) : paths.login(from));
}

/** After an expired sign-in, the URL doesn't contain the provider. */
async function labelOf(id: string | null): Promise<string> {
  const { signInProviders } = await browserQueries.query(queryOf(readConfig, {}));
  const [only, another] = signInProviders;
  const named = signInProviders.find((provider) => provider.id === id) ?? (another ? null : only);
  return named?.label ?? "the provider";
}

export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";

export default function AuthDone({ loaderData: { message, from } }: Route.ComponentProps) {
  return (
    <AuthCard title="You're not signed in">
      <FormMessage message={message} />
      <ButtonLink to={paths.login(from)} size="large">
        Go to Login
      </ButtonLink>
    </AuthCard>
  );
}
