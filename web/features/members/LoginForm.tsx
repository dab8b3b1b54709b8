import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { z } from "zod";
import { readConfig } from "#contract/config.ts";
import { loginForm } from "#contract/members.ts";
import { queryOf } from "#web/api/api.ts";
import { useLogIn } from "#web/auth/sign-in.ts";
import { CurrentPasswordField } from "#web/domain/members/CurrentPasswordField.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

const draft = { name: "login", fields: ["email"] } as const;

/** Email and password login (specification 2 and 5). */
export function LoginForm({ from, email }: { from: string | undefined; email: string }) {
  const form = useZodForm(loginForm, { email, password: "" }, email === "" ? draft : undefined);
  const logIn = useLogIn(from);
  const enter = (credentials: z.output<typeof loginForm>) =>
    logIn.mutate(credentials, { onError: (error) => showFormError(form, error) });
  return (
    <>
      <Form form={form} onSubmit={enter}>
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
      </Form>
      <DemoAccounts
        onChoose={(credentials) => {
          form.reset(credentials);
          enter(credentials);
        }}
      />
    </>
  );
}

const password = "Demo#2026";
const accounts = [
  { label: "Buyer", email: "buyer@demo.test" },
  { label: "Seller", email: "seller@demo.test" },
  { label: "Admin", email: "admin@demo.test" },
];

type DemoAccountsProps = { onChoose: (account: { email: string; password: string }) => void };

function DemoAccounts({ onChoose }: DemoAccountsProps) {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  if (!config?.demo) return null;
  return (
    <section aria-label="Demo accounts" className="flex flex-col gap-3 rounded-2xl bg-base-200 p-4">
      <div className="text-muted text-sm">
        <p>This is a demo. Look around with one of these accounts.</p>
        <p>
          The password is <code className="text-base-content">{password}</code>.
        </p>
      </div>
      <ul className="flex flex-col gap-1 text-sm">
        {accounts.map(({ label, email }) => (
          <li key={email} className="flex items-center justify-between gap-3">
            <span>
              {label} <span className="text-muted">{email}</span>
            </span>
            <Button
              look="plain"
              size="small"
              aria-label={`Use ${email}`}
              onClick={() => onChoose({ email, password })}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
