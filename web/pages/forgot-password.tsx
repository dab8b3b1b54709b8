import { HydrationBoundary } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";
import { z } from "zod";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api.ts";
import { ForgotPasswordForm } from "#web/features/members/ForgotPasswordForm.tsx";
import { titled } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { renderedWith } from "#web/prefetch.ts";
import type { Route } from "./+types/forgot-password.ts";
import { EntranceCard, useFrom } from "./entrance.tsx";

export const meta = titled("Forget Password?", "Set a new password by a link we mail you.");

/** What the page that led here knows already. */
const typed = z.object({ email: z.string() });

export function loader({ context }: Route.LoaderArgs) {
  return renderedWith(context, (queries, api) => queries.query(queryOf(readConfig, {}, api)));
}

export function clientLoader() {
  return undefined;
}

export default function ForgotPassword({ loaderData }: Route.ComponentProps) {
  const from = useFrom();
  const { state } = useLocation();
  return (
    <HydrationBoundary state={loaderData}>
      <EntranceCard title="Forget Password?">
        <ForgotPasswordForm email={typed.safeParse(state).data?.email ?? ""} />
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
