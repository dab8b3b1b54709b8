import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { CallError } from "#contract/client.ts";
import { type Draft, readDraft, saveDraft } from "./drafts.ts";

/**
 * Validates each field from its first blur on, and all fields on submit. Edits clear `errors.root`.
 */
export function useZodForm<I extends FieldValues, O>(
  schema: z.ZodType<O, I>,
  defaultValues: DefaultValues<I>,
  draft?: Draft<I>,
) {
  return useFormWithDraft<I, O>(
    { resolver: rejectInvalidNumbers(zodResolver(schema)), mode: "onTouched", defaultValues },
    draft,
  );
}

/** Invalid text such as `1-2` leaves a number input's value empty, but the field isn't missing. */
function rejectInvalidNumbers<I extends FieldValues, C, O>(
  check: Resolver<I, C, O>,
): Resolver<I, C, O> {
  return (values, context, options) => {
    const typed = { ...values };
    for (const name of Object.keys(options.fields) as (keyof I)[]) {
      const input = options.fields[name]?.ref;
      const isWrong = input instanceof HTMLInputElement && input.validity.badInput;
      if (isWrong) Object.assign(typed, { [name]: "not a number" });
    }
    return check(typed, context, options);
  };
}

/** Without a resolver, only the server validates the form. */
export function useFormWithDraft<I extends FieldValues, O = I>(
  options: UseFormProps<I, unknown, O> & { defaultValues: DefaultValues<I> },
  draft?: Draft<I>,
) {
  const form = useForm<I, unknown, O>({
    ...options,
    defaultValues: { ...options.defaultValues, ...(draft && readDraft(draft)) },
  });
  const { subscribe, clearErrors } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ type }) => type === "change" && clearErrors("root"),
      }),
    [subscribe, clearErrors],
  );
  useEffect(() => {
    if (!draft) return;
    return subscribe({
      name: draft.fields as readonly Path<I>[],
      formState: { values: true },
      callback: ({ values }) => saveDraft(draft, values),
    });
  }, [subscribe, draft]);
  return form;
}

/**
 * Shows field errors at their fields and focuses the first. Other errors become the form's message,
 * `errors.root`. `names` maps wire names to form names where they differ.
 */
export function showFormError<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  error: Error,
  names: Record<string, string> = {},
): void {
  if (!showFieldErrors(form, error, names)) form.setError("root", { message: error.message });
}

/** Shows field errors at their fields. Returns whether there were any. */
export function showFieldErrors<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  error: Error,
  names: Record<string, string> = {},
): boolean {
  const said = error instanceof CallError ? Object.entries(fieldsOf(error)) : [];
  const own = said.flatMap(([field, message]) => {
    const name = names[field] ?? field;
    return name in form.getValues() ? [{ name: name as Path<I>, message }] : [];
  });
  for (const { name, message } of own) form.setError(name, { message });
  const [first] = own;
  if (first) form.setFocus(first.name);
  return first !== undefined;
}

/** The identity service names no fields, but WEAK_PASSWORD is about the password. */
function fieldsOf({ code, message, fields }: CallError): Record<string, string> {
  return String(code) === "WEAK_PASSWORD" ? { password: message } : fields;
}
