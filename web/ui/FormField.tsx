import type { ComponentProps, FormEvent, ReactNode } from "react";
import type { FieldValues, FormState, Path, UseFormRegister } from "react-hook-form";
import { controlClass, Field } from "./Field.tsx";

type Bound<V extends FieldValues> = {
  form: { register: UseFormRegister<V>; formState: FormState<V> };
  name: Path<V>;
  label: string;
  hint?: ReactNode;
  aside?: ReactNode;
};

type Option = { value: string; label: string };

type Control =
  | ({ as?: "input" } & Omit<ComponentProps<"input">, "name" | "form">)
  | ({ as: "textarea" } & Omit<ComponentProps<"textarea">, "name" | "form">)
  | ({ as: "select"; options: Option[] } & Omit<ComponentProps<"select">, "name" | "form">);

/** A field of a form: its label, its control and, once left or sent, its message. */
export function FormField<V extends FieldValues>({
  form,
  name,
  label,
  hint,
  aside,
  ...control
}: Bound<V> & Control) {
  const error = form.formState.errors[name]?.message;
  return (
    <Field
      label={label}
      hint={hint}
      aside={aside}
      error={error === undefined ? undefined : String(error)}
    >
      {(wiring) => <Input {...control} {...wiring} {...form.register(name)} />}
    </Field>
  );
}

function Input(props: Control) {
  if (props.as === "textarea") {
    const { as: _, ...rest } = props;
    return <textarea rows={4} dir="auto" {...rest} className={`textarea ${controlClass}`} />;
  }
  if (props.as === "select") {
    const { as: _, options, ...rest } = props;
    return (
      <select {...rest} className={`select ${controlClass}`}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const { as: _, ...rest } = props;
  const numeric = rest.type === "tel" && ({ inputMode: "tel", onInput: leaveOutLetters } as const);
  return (
    <input {...directionOf(rest.type)} {...rest} {...numeric} className={`input ${controlClass}`} />
  );
}

/** A telephone number takes digits and what people write between them (decision 0019). */
function leaveOutLetters({ currentTarget: input }: FormEvent<HTMLInputElement>) {
  const allowed = (text: string) => text.replace(/[^\d+ ().-]/g, "");
  if (allowed(input.value) === input.value) return;
  const caret = allowed(input.value.slice(0, input.selectionStart ?? undefined)).length;
  input.value = allowed(input.value);
  input.setSelectionRange(caret, caret);
}

/** What people write in words may be in a language that runs the other way. */
function directionOf(type = "text"): { dir?: "auto" } {
  return type === "text" || type === "search" ? { dir: "auto" } : {};
}
