import { type ComponentProps, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { FormField } from "./Form.tsx";

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
