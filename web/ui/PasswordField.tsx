import { type ComponentProps, useState } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { FormField } from "./FormField.tsx";

type PasswordFieldProps<V extends FieldValues> = Pick<
  ComponentProps<typeof FormField<V>>,
  "form" | "name" | "label" | "hint" | "aside"
> & { autoComplete: "current-password" | "new-password"; enterKeyHint?: "go" };

export function PasswordField<V extends FieldValues>(props: PasswordFieldProps<V>) {
  const [isShown, setShown] = useState(false);
  return (
    <FormField
      {...props}
      type={isShown ? "text" : "password"}
      className="pr-16"
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className="absolute top-0 right-0 min-h-11 cursor-pointer px-3 font-medium text-muted text-sm"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
          <span className="sr-only"> password</span>
        </button>
      }
    />
  );
}

type CurrentPasswordFieldProps<V extends FieldValues> = Omit<
  PasswordFieldProps<V>,
  "name" | "label" | "autoComplete"
>;

export function CurrentPasswordField<V extends FieldValues>(props: CurrentPasswordFieldProps<V>) {
  return (
    <PasswordField
      {...props}
      name={"password" as Path<V>}
      label="Password"
      autoComplete="current-password"
    />
  );
}

/** The rules for a new password (specification 5). */
export const passwordRules =
  "At least 6 characters, with an uppercase letter, a digit and one of !@#$&*";
