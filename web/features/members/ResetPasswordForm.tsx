import { signUpForm } from "#contract/passwords.ts";
import { useMutationOnce } from "#web/api/api.ts";
import { hasErrorCode } from "#web/api/identity-client.ts";
import { resetPassword } from "#web/api/password-client.ts";
import { useAfterSignOut } from "#web/auth/session.ts";
import { NewPasswordField } from "#web/domain/members/PasswordFields.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormMessage } from "#web/ui/Form.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

const passwordForm = signUpForm.pick({ password: true });

export function ResetPasswordForm({ token }: { token: string }) {
  const form = useZodForm(passwordForm, { password: "" });
  const leave = useAfterSignOut();
  const reset = useMutationOnce({
    mutationFn: ({ password }: { password: string }) =>
      resetPassword({ token, newPassword: password }),
    onSuccess: async () => {
      toast.success("Your password has been changed. Log in with the new one.");
      // The reset has ended all of the member's sessions, including any in this browser.
      await leave();
    },
  });
  if (hasErrorCode("INVALID_TOKEN", reset.error)) {
    return <RequestNewLink message={reset.error?.message ?? ""} />;
  }
  return (
    <Form
      form={form}
      onSubmit={(chosen) =>
        reset.mutate(chosen, { onError: (error) => showFormError(form, error) })
      }
    >
      <NewPasswordField form={form} label="New Password" />
      <p className="text-muted text-sm">
        You'll be signed out everywhere and will need to log in again.
      </p>
      <Button type="submit" size="large" busy={reset.isPending}>
        Save password
      </Button>
      <FormMessage message={form.formState.errors.root?.message} />
    </Form>
  );
}

export function RequestNewLink({ message }: { message: string }) {
  return (
    <>
      <FormMessage message={message} />
      <ButtonLink to={paths.forgotPassword()} size="large">
        Request a new link
      </ButtonLink>
    </>
  );
}
