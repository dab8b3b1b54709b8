import type { ComponentProps } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { missingIn } from "#contract/passwords.ts";
import { PasswordField } from "#web/ui/PasswordField.tsx";

type PasswordFieldProps<V extends FieldValues> = ComponentProps<typeof PasswordField<V>>;

export function CurrentPasswordField<V extends FieldValues>(
  props: Omit<PasswordFieldProps<V>, "name" | "label" | "autoComplete">,
) {
  return (
    <PasswordField
      {...props}
      name={"password" as Path<V>}
      label="Password"
      autoComplete="current-password"
    />
  );
}

type NewPasswordFieldProps<V extends FieldValues> = {
  form: PasswordFieldProps<V>["form"] & { watch: (name: "password") => string };
  label: string;
};

/** The messages of specification 5.2 don't say what is missing, so advice follows them. */
export function NewPasswordField<V extends FieldValues>(props: NewPasswordFieldProps<V>) {
  return (
    <PasswordField
      {...props}
      name={"password" as Path<V>}
      advice={adviceOn(props.form.watch("password"))}
      autoComplete="new-password"
      hint="At least 6 characters, with an uppercase letter, a digit and one of !@#$&*"
    />
  );
}

function adviceOn(password: string): string | undefined {
  const missing = missingIn(password);
  if (password === "" || missing.length === 0) return undefined;
  return `It still needs ${new Intl.ListFormat("en-US").format(missing)}.`;
}
