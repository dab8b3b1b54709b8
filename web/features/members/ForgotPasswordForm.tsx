import { loginForm } from "#contract/passwords.ts";
import { useMutationOnce } from "#web/api/api.ts";
import { usesFirebase } from "#web/api/identity-client.ts";
import { requestPasswordReset } from "#web/api/password-client.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";
import { DemoInbox } from "./DemoInbox.tsx";

const emailForm = loginForm.pick({ email: true });

export function ForgotPasswordForm({ email }: { email: string }) {
  const form = useZodForm(emailForm, { email });
  const ask = useMutationOnce({ mutationFn: requestPasswordReset });
  return (
    <Form
      form={form}
      onSubmit={(fields) => ask.mutate(fields, { onError: (error) => showFormError(form, error) })}
    >
      <FormField
        form={form}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        hint="The one you signed up with. We'll email you a link."
      />
      <Button type="submit" size="large" busy={ask.isPending}>
        Email me a link
      </Button>
      <FormMessage message={form.formState.errors.root?.message} />
      <div role="status">
        {ask.data !== undefined && (
          <div className="flex flex-col gap-2 rounded-2xl bg-secondary p-4 text-secondary-content text-sm">
            <p className="break-words">{ask.data} The link works once and expires after an hour.</p>
            {!usesFirebase() && <DemoInbox />}
          </div>
        )}
      </div>
    </Form>
  );
}
