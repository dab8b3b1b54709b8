import { HydrationBoundary } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { useReturnPath } from "#web/auth/return-path.ts";
import { ProviderButtons } from "#web/features/members/ProviderButtons.tsx";
import { SignUpForm } from "#web/features/members/SignUpForm.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import type { Route } from "./+types/sign-up.ts";
import { AuthPage } from "./auth-card.tsx";

export const meta = pageMeta("Sign up", "Join as a buyer or a seller.");

export { configLoader as loader } from "#web/start/read-for-markup.ts";
export { loadConfig as clientLoader } from "./auth-card.tsx";

const FriendOffer = lazy(() => import("#web/features/invitations/FriendOffer.tsx"));

export default function SignUp({ loaderData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const from = useReturnPath();
  // Visitors sent here from Add Product want to sell.
  const accountType = query.get("from") === paths.addProduct() ? "seller" : "buyer";
  return (
    <HydrationBoundary state={loaderData}>
      <AuthPage title="Sign up">
        <SignUpForm email={query.get("email") ?? ""} accountType={accountType} from={from} />
        {useHydrated() && (
          <Suspense>
            <FriendOffer />
          </Suspense>
        )}
        <ProviderButtons
          from={from}
          note={(providers) =>
            `With ${providers} you join as a buyer, whatever you chose above. You can start selling later in your Profile.`
          }
        />
        <p className="text-muted text-sm">
          Already have an account?{" "}
          <Link to={paths.login(from)} className="link text-base-content">
            Login
          </Link>
        </p>
      </AuthPage>
    </HydrationBoundary>
  );
}
