import type { AccountType } from "#contract/members.ts";
import { signUpForm } from "#contract/passwords.ts";
import { hasErrorCode } from "#web/api/identity-client.ts";
import { useSignUp } from "#web/auth/sign-in.ts";
import { NewPasswordField } from "#web/domain/members/PasswordFields.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { TextLink } from "#web/ui/Link.tsx";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

const accountTypes = [
  { value: "buyer", label: "Buyer" },
  { value: "seller", label: "Seller" },
];

const draft = { name: "sign-up", fields: ["name", "email", "accountType"] } as const;

/** Omits the email, because an email in the URL takes precedence over the draft's. */
const draftBesideEmail = { ...draft, fields: ["name", "accountType"] } as const;

type SignUpFormProps = {
  email: string;
  accountType: AccountType;
  from: string | undefined;
};

export function SignUpForm({ email, accountType, from }: SignUpFormProps) {
  const empty = { name: "", email, password: "", accountType };
  const form = useZodForm(signUpForm, empty, email === "" ? draft : draftBesideEmail);
  const signUp = useSignUp();
  return (
    <Form
      form={form}
      onSubmit={(fields) =>
        signUp.mutate(fields, { onError: (error) => showFormError(form, error) })
      }
    >
      <FormField form={form} name="name" label="Name" autoComplete="name" />
      <FormField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <NewPasswordField form={form} label="Password" />
      <FormField
        form={form}
        name="accountType"
        label="Account Type"
        as="select"
        options={accountTypes}
        hint="Buyers book and pay. Sellers list laptops. You can add the other role later in your Profile."
      />
      <Button type="submit" size="large" busy={signUp.isPending}>
        Sign up
      </Button>
      <FormMessage message={form.formState.errors.root?.message}>
        {isTaken(signUp.error) && (
          <TextLink to={paths.login(from)} state={{ email: form.getValues("email") }}>
            Log in instead.
          </TextLink>
        )}
      </FormMessage>
    </Form>
  );
}

function isTaken(error: Error | null): boolean {
  return ["USER_ALREADY_EXISTS", "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"].some((code) =>
    hasErrorCode(code, error),
  );
}
