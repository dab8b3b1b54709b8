import { HydrationBoundary } from "@tanstack/react-query";
import { Link } from "react-router";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api.ts";
import { GoogleButton } from "#web/features/members/GoogleButton.tsx";
import { LoginForm } from "#web/features/members/LoginForm.tsx";
import { titled } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { renderedWith } from "#web/prefetch.ts";
import type { Route } from "./+types/login.ts";
import { Entrance, useFrom, useTypedEmail } from "./entrance.tsx";

export const meta = titled("Login", "Log in to hold, pay for and sell laptops.");

export function loader({ context }: Route.LoaderArgs) {
  return renderedWith(context, (queries, api) => queries.query(queryOf(readConfig, {}, api)));
}

export function clientLoader() {
  return undefined;
}

export default function Login({ loaderData }: Route.ComponentProps) {
  const from = useFrom();
  const email = useTypedEmail();
  return (
    <HydrationBoundary state={loaderData}>
      <Entrance title="Login">
        <LoginForm from={from} email={email} />
        <GoogleButton from={from} />
        <p className="text-muted text-sm">
          New to Secondlap?{" "}
          <Link to={paths.signUp(from)} className="link text-base-content">
            Create new account
          </Link>
        </p>
      </Entrance>
    </HydrationBoundary>
  );
}
