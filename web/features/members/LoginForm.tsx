import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { z } from "zod";
import { readConfig } from "#contract/config.ts";
import { loginForm } from "#contract/passwords.ts";
import { queryOf } from "#web/api/api.ts";
import { signInWithEmail } from "#web/api/password-client.ts";
import { arePasskeysSupported } from "#web/auth/passkey-support.ts";
import { logInWithPasskey } from "#web/auth/passkeys.ts";
import { appCode, verifyAppCode, verifyBackupCode } from "#web/auth/second-factor.ts";
import { useSignInMutation } from "#web/auth/sign-in.ts";
import { CurrentPasswordField } from "#web/domain/members/PasswordFields.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

const draft = { name: "login", fields: ["email"] } as const;

export function LoginForm({ from, email }: { from: string | undefined; email: string }) {
  const form = useZodForm(loginForm, { email, password: "" }, email === "" ? draft : undefined);
  const navigate = useNavigate();
  const logIn = useSignInMutation(signInWithEmail, "Login Successful.", () => {
    void navigate(paths.secondStep(from));
  });
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

/** The second step of login: a code from the app, a backup code, or a passkey. */
export function SecondStepForm({ from }: { from: string | undefined }) {
  const [way, setWay] = useState<keyof typeof ways>("app");
  const other = way === "app" ? "backup" : "app";
  return (
    <>
      <CodeForm key={way} way={way} />
      <Button look="quiet" size="small" className="self-start" onClick={() => setWay(other)}>
        {ways[other].offer}
      </Button>
      <PasskeyButton />
      <p className="text-muted text-sm">
        Not you?{" "}
        <Link to={paths.login(from)} className="link text-base-content">
          Back to Login
        </Link>
      </p>
    </>
  );
}

const backupCode = z.string().trim().min(1, "Enter one of your backup codes.");

const ways = {
  app: {
    schema: z.object({ code: appCode }),
    verify: verifyAppCode,
    offer: "Use the code from your app",
    label: "Code",
    hint: "The six-digit code your authenticator app shows for this shop.",
    input: { autoComplete: "one-time-code", inputMode: "numeric" },
  },
  backup: {
    schema: z.object({ code: backupCode }),
    verify: verifyBackupCode,
    offer: "Use a backup code",
    label: "Backup code",
    hint: "One of the ten you saved. Each works once.",
    input: { autoComplete: "off", autoCapitalize: "none", spellCheck: false },
  },
} as const;

function CodeForm({ way }: { way: keyof typeof ways }) {
  const { schema, verify, label, hint, input } = ways[way];
  const form = useZodForm(schema, { code: "" });
  const logIn = useSignInMutation(verify, "Login Successful.");
  return (
    <Form form={form} onSubmit={(values) => logIn.mutate(values)}>
      <FormField form={form} name="code" label={label} hint={hint} enterKeyHint="go" {...input} />
      <Button type="submit" size="large" busy={logIn.isPending}>
        Log in
      </Button>
      <FormMessage message={logIn.error?.message} />
    </Form>
  );
}

/** The server renders the button too, because nearly all browsers support passkeys. */
export function PasskeyButton() {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  const logIn = useSignInMutation(logInWithPasskey, "Login Successful.");
  const isSupported = !useHydrated() || arePasskeysSupported();
  if (!isSupported || config?.identity === "firebase") return null;
  return (
    <div className="needs-passkeys needs-scripts flex flex-col gap-4">
      <Button
        look="plain"
        size="large"
        busy={logIn.isPending}
        onClick={() => logIn.mutate(undefined)}
      >
        <Icon name="key-round" className="size-5" />
        Use a passkey
      </Button>
      <FormMessage message={logIn.error?.message} />
    </div>
  );
}
