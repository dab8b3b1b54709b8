import type { ComponentProps } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { listMissing } from "#contract/passwords.ts";
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

/** The hint says what is missing, because the messages of specification 5.2 don't. */
export function NewPasswordField<V extends FieldValues>(props: NewPasswordFieldProps<V>) {
  return (
    <PasswordField
      {...props}
      name={"password" as Path<V>}
      autoComplete="new-password"
      hint={hintFor(props.form.watch("password"))}
    />
  );
}

function hintFor(password: string): string {
  const missing = listMissing(password);
  const isBegun = password !== "" && missing.length > 0;
  const list = new Intl.ListFormat("en-US").format(isBegun ? missing : listMissing(""));
  return `${isBegun ? "Still needs" : "Needs"} ${list}.`;
}
