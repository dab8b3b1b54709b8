import { Navigate, useLocation, useSearchParams } from "react-router";
import { z } from "zod";
import { ConfirmEmail } from "#web/features/members/ConfirmEmail.tsx";
import { pageMeta } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { AuthCard } from "./auth-card.tsx";

export const meta = pageMeta("Confirm your email address");

const known = z.object({ token: z.string() });

/** Where the link of a mail leads. Opening it confirms nothing: mail scanners open links too. */
export default function ConfirmEmailPage() {
  const isHydrated = useHydrated();
  const [query] = useSearchParams();
  const { state } = useLocation();
  if (!isHydrated) return <Spinner />;
  const given = query.get("token");
  if (given !== null)
    return <Navigate to={paths.confirmEmail()} state={{ token: given }} replace />;
  const token = known.safeParse(state).data?.token;
  return (
    <AuthCard title="Confirm your email address">
      {token === undefined ? (
        <FormMessage message="Please open the whole link from the email we sent you." />
      ) : (
        <ConfirmEmail token={token} />
      )}
    </AuthCard>
  );
}
