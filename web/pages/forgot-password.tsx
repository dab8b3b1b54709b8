import { HydrationBoundary } from "@tanstack/react-query";
import { Link } from "react-router";
import { useReturnPath } from "#web/auth/return-path.ts";
import { ForgotPasswordForm } from "#web/features/members/ForgotPasswordForm.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import type { Route } from "./+types/forgot-password.ts";
import { AuthCard, useEmailFromState } from "./auth-card.tsx";

export const meta = pageMeta("Forget Password?", "Get a link by email to set a new password.");

export { configLoader as loader } from "#web/start/read-for-markup.ts";
export { loadConfig as clientLoader } from "./auth-card.tsx";

export default function ForgotPassword({ loaderData }: Route.ComponentProps) {
  const from = useReturnPath();
  const email = useEmailFromState();
  return (
    <HydrationBoundary state={loaderData}>
      <AuthCard title="Forget Password?">
        <ForgotPasswordForm email={email} />
        <p className="text-muted text-sm">
          Remembered it?{" "}
          <Link to={paths.login(from)} className="link text-base-content">
            Login
          </Link>
        </p>
      </AuthCard>
    </HydrationBoundary>
  );
}
