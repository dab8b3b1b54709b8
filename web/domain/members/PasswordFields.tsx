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

type NewPasswordFieldProps<V extends FieldValues> = {
  form: PasswordFieldProps<V>["form"] & { watch: (name: "password") => string };
  label: string;
};

/** Says which rules are broken, because the messages do not (specification 5.2). */
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

const rules: [RegExp, string][] = [
  [/.{6}/s, "at least 6 characters"],
  [/[A-Z]/, "an uppercase letter"],
  [/\d/, "a digit"],
  [/[!@#$&*]/, "one of !@#$&*"],
];

function adviceOn(password: string): string | undefined {
  const missing = rules.flatMap(([rule, text]) => (rule.test(password) ? [] : [text]));
  if (password === "" || missing.length === 0) return undefined;
  return `It still needs ${new Intl.ListFormat("en-US").format(missing)}.`;
}
