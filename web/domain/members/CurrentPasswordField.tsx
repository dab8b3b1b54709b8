import type { ReactNode } from "react";
import type { FieldValues, FormState, Path, UseFormRegister } from "react-hook-form";
import { PasswordField } from "../../ui/Form.tsx";

type CurrentPasswordFieldProps<V extends FieldValues> = {
  form: { register: UseFormRegister<V>; formState: FormState<V> };
  hint?: ReactNode;
  aside?: ReactNode;
  enterKeyHint?: "go";
};

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
