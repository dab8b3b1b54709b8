import { HydrationBoundary } from "@tanstack/react-query";
import { Link } from "react-router";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";
import { renderedWith } from "#web/api/prefetch.ts";
import { ForgotPasswordForm } from "#web/features/members/ForgotPasswordForm.tsx";
import { titled } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import type { Route } from "./+types/forgot-password.ts";
import { EntranceCard, useFrom, useTypedEmail } from "./entrance.tsx";

export const meta = titled("Forget Password?", "Set a new password by a link we mail you.");

export function loader({ context }: Route.LoaderArgs) {
  return renderedWith(context, (queries, api) => queries.query(queryOf(readConfig, {}, api)));
}

export function clientLoader() {
  return undefined;
}

export default function ForgotPassword({ loaderData }: Route.ComponentProps) {
  const from = useFrom();
  const email = useTypedEmail();
  return (
    <HydrationBoundary state={loaderData}>
      <EntranceCard title="Forget Password?">
        <ForgotPasswordForm email={email} />
        <p className="text-muted text-sm">
          It came back to you?{" "}
          <Link to={paths.login(from)} className="link text-base-content">
            Login
          </Link>
        </p>
      </EntranceCard>
    </HydrationBoundary>
  );
}
