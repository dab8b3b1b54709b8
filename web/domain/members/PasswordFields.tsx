import type { ComponentProps } from "react";
import type { FieldValues, Path } from "react-hook-form";
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

/** The hint gives the rules for a new password (specification 5.2). */
export function NewPasswordField<V extends FieldValues>(
  props: Pick<PasswordFieldProps<V>, "form" | "label">,
) {
  return (
    <PasswordField
      {...props}
      name={"password" as Path<V>}
      autoComplete="new-password"
      hint="At least 6 characters, with an uppercase letter, a digit and one of !@#$&*"
    />
  );
}
