import { z } from "zod";
import type { PasswordAndCode } from "#web/auth/second-factor.ts";
import { CurrentPasswordField } from "#web/domain/members/CurrentPasswordField.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";

type PasswordAndCodeFormProps = {
  hasPassword: boolean;
  submit: string;
  send: { isPending: boolean; error: Error | null; mutate: (by: PasswordAndCode) => void };
};

const code = z
  .string()
  .transform((typed) => typed.replaceAll(/\s/g, ""))
  .pipe(z.string().min(1, "Enter a code from your app or a backup code."));
const proof = z.object({ password: z.string().min(1, "Password is required."), code });

export function PasswordAndCodeForm({ hasPassword, submit, send }: PasswordAndCodeFormProps) {
  const form = useZodForm(hasPassword ? proof : proof.extend({ password: z.literal("") }), {
    password: "",
    code: "",
  });
  return (
    <Form
      form={form}
      onSubmit={({ password, code: typed }) =>
        send.mutate({ ...(hasPassword && { password }), code: typed })
      }
    >
      {hasPassword && <CurrentPasswordField form={form} />}
      <FormField
        form={form}
        name="code"
        label="Code"
        hint="From your authenticator app, or one of your backup codes."
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button type="submit" busy={send.isPending}>
        {submit}
      </Button>
      <FormMessage message={send.error?.message} />
    </Form>
  );
}
