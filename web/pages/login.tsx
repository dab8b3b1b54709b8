import { HydrationBoundary } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { useReturnPath } from "#web/auth/return-path.ts";
import { LoginForm, PasskeyButton, SecondStepForm } from "#web/features/members/LoginForm.tsx";
import { ProviderButtons } from "#web/features/members/ProviderButtons.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import type { Route } from "./+types/login.ts";
import { AuthPage, useEmailFromState } from "./auth-card.tsx";

export const meta = pageMeta("Login", "Log in to hold, pay for and sell laptops.");

export { configLoader as loader } from "#web/start/read-for-markup.ts";
export { loadConfig as clientLoader } from "./auth-card.tsx";

function useStep(): string | null {
  const [query] = useSearchParams();
  return useHydrated() ? query.get("step") : null;
}

export default function Login({ loaderData }: Route.ComponentProps) {
  const from = useReturnPath();
  const email = useEmailFromState();
  if (useStep() === "code")
    return (
      <AuthPage title="Two-step verification">
        <SecondStepForm from={from} />
      </AuthPage>
    );
  return (
    <HydrationBoundary state={loaderData}>
      <AuthPage title="Login">
        <LoginForm from={from} email={email} />
        <ProviderButtons from={from} />
        <PasskeyButton />
        <p className="text-muted text-sm">
          New here?{" "}
          <Link to={paths.signUp(from)} className="link text-base-content">
            Create new account
          </Link>
        </p>
      </AuthPage>
    </HydrationBoundary>
  );
}
