import type { ComponentProps, FormEvent, ReactNode } from "react";
import {
  type FieldError,
  type FieldValues,
  type FormState,
  get,
  type Path,
  type UseFormRegister,
  type UseFormReturn,
} from "react-hook-form";
import { Button } from "./Button.tsx";
import { controlClass, Field } from "./Field.tsx";

type FormProps<I extends FieldValues, O> = Omit<ComponentProps<"form">, "onSubmit"> & {
  form: UseFormReturn<I, unknown, O>;
  onSubmit: (values: O) => unknown;
};

/** Our messages replace the browser's. POST keeps values out of the URL before scripts load. */
export function Form<I extends FieldValues, O>({ form, onSubmit, ...rest }: FormProps<I, O>) {
  return (
    <form
      className="flex flex-col gap-2"
      {...rest}
      onSubmit={form.handleSubmit(onSubmit)}
      method="post"
      noValidate
    />
  );
}

type FormSubmitProps<V extends FieldValues> = Omit<ComponentProps<typeof Button>, "form"> & {
  form: { formState: FormState<V> };
};

/** The button, below the error about the whole form. */
export function FormSubmit<V extends FieldValues>({ form, ...button }: FormSubmitProps<V>) {
  return (
    <>
      <FormMessage message={form.formState.errors.root?.message} />
      <Button size="large" {...button} type="submit" />
    </>
  );
}

type DialogSubmitProps<V extends FieldValues> = {
  form: { formState: FormState<V> };
  busy: boolean;
};

/** Like `FormSubmit`, but the button stays visible in long dialogs. */
export function DialogSubmit<V extends FieldValues>({ form, busy }: DialogSubmitProps<V>) {
  return (
    <>
      <FormMessage message={form.formState.errors.root?.message} />
      <div className="sticky bottom-0 flex flex-col bg-base-100 pt-2 pb-3">
        <Button type="submit" size="large" busy={busy}>
          Submit
        </Button>
      </div>
    </>
  );
}

type FormMessageProps = {
  message: string | undefined;
  children?: ReactNode;
};

/** An error about the whole form, announced when it appears. */
export function FormMessage({ message, children }: FormMessageProps) {
  return (
    <div role="alert" className="empty:contents">
      {message && (
        <p className="rounded-field border border-error/40 bg-error/8 px-4 py-3 text-error text-sm">
          {message} {children}
        </p>
      )}
    </div>
  );
}

type Bound<V extends FieldValues> = {
  form: { register: UseFormRegister<V>; formState: FormState<V> };
  name: Path<V>;
  label: string;
  hint?: ReactNode;
  aside?: ReactNode;
  /** A button at the end of the control. */
  end?: ReactNode;
};

type Option = { value: string; label: string };

type Control =
  | ({ as?: "input" } & Omit<ComponentProps<"input">, "name" | "form">)
  | ({ as: "textarea" } & Omit<ComponentProps<"textarea">, "name" | "form">)
  | ({ as: "select"; options: Option[] } & Omit<ComponentProps<"select">, "name" | "form">);

export function FormField<V extends FieldValues>({
  form,
  name,
  label,
  hint,
  aside,
  end,
  ...control
}: Bound<V> & Control) {
  const error = (get(form.formState.errors, name) as FieldError | undefined)?.message;
  return (
    <Field
      label={label}
      hint={hint}
      aside={aside}
      error={error === undefined ? undefined : String(error)}
    >
      {(controlProps) => (
        <>
          <Input {...control} {...controlProps} {...form.register(name)} />
          {end}
        </>
      )}
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
  const numeric = rest.type === "tel" && ({ inputMode: "tel", onInput: removeLetters } as const);
  return (
    <input
      {...directionOf(rest.type)}
      {...rest}
      {...numeric}
      className={`input ${controlClass} ${rest.className ?? ""}`}
    />
  );
}

/** Telephone fields accept only digits and separators (decisions/pages). */
function removeLetters({ currentTarget: input }: FormEvent<HTMLInputElement>) {
  const allowed = (text: string) => text.replace(/[^\d+ ().-]/g, "");
  if (allowed(input.value) === input.value) return;
  const caret = allowed(input.value.slice(0, input.selectionStart ?? undefined)).length;
  input.value = allowed(input.value);
  input.setSelectionRange(caret, caret);
}

/** User text may be right-to-left. */
function directionOf(type = "text"): { dir?: "auto" } {
  return type === "text" || type === "search" ? { dir: "auto" } : {};
}
