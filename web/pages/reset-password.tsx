import { Navigate, useLocation, useSearchParams } from "react-router";
import { z } from "zod";
import { RequestNewLink, ResetPasswordForm } from "#web/features/members/ResetPasswordForm.tsx";
import { pageMeta } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { Spinner } from "#web/ui/Spinner.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { AuthCard } from "./auth-card.tsx";

export const meta = pageMeta("Set a new password");

const known = z.object({ token: z.string() });

/** Where the link of a mail leads. Its token leaves the address bar at once, for nobody to read over a shoulder. */
export default function ResetPassword() {
  const isHydrated = useHydrated();
  const [query] = useSearchParams();
  const { state } = useLocation();
  if (!isHydrated) return <Spinner />;
  const given = query.get("token");
  if (given !== null)
    return <Navigate to={paths.resetPassword()} state={{ token: given }} replace />;
  const token = known.safeParse(state).data?.token;
  return (
    <AuthCard title="Set a new password">
      {token === undefined ? (
        <RequestNewLink message="A new password is set by the link of a mail. Open the whole link, or ask for a new one." />
      ) : (
        <ResetPasswordForm token={token} />
      )}
    </AuthCard>
  );
}
