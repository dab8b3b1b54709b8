import { useState } from "react";
import { Link } from "react-router";
import { z } from "zod";
import { appCode, verifyAppCode, verifyBackupCode } from "#web/auth/second-factor.ts";
import { useSignInMutation } from "#web/auth/sign-in.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { PasskeyButton } from "./PasskeyButton.tsx";

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
