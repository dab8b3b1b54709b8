import { Link } from "react-router";
import type { z } from "zod";
import { loginForm } from "#contract/members.ts";
import { useLogIn } from "#web/auth/sign-in.ts";
import { CurrentPasswordField } from "#web/domain/members/CurrentPasswordField.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { DemoAccounts } from "./DemoAccounts.tsx";

const draft = { name: "login", fields: ["email"] } as const;

/** Email and password login (specification 2 and 5). */
export function LoginForm({ from, email }: { from: string | undefined; email: string }) {
  const form = useZodForm(loginForm, { email, password: "" }, email === "" ? draft : undefined);
  const logIn = useLogIn(from);
  const enter = (credentials: z.output<typeof loginForm>) =>
    logIn.mutate(credentials, { onError: (error) => showFormError(form, error) });
  return (
    <>
      <form
        onSubmit={form.handleSubmit(enter)}
        method="post"
        noValidate
        className="flex flex-col gap-2"
      >
        <FormField form={form} name="email" label="Email" type="email" autoComplete="username" />
        <CurrentPasswordField
          form={form}
          enterKeyHint="go"
          aside={
            <Link
              to={paths.forgotPassword(from)}
              state={{ email: form.watch("email") }}
              data-needs-app
              className="link text-muted"
            >
              Forget Password?
            </Link>
          }
        />
        <Button type="submit" size="large" busy={logIn.isPending}>
          Login
        </Button>
        <FormMessage message={form.formState.errors.root?.message} />
      </form>
      <DemoAccounts
        onChoose={(credentials) => {
          form.reset(credentials);
          enter(credentials);
        }}
      />
    </>
  );
}
