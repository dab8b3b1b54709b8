import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { CallError } from "#contract/client.ts";

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

/** Returns whether there were any. */
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

/** The identity service names no fields, but WEAK_PASSWORD always belongs to the password. */
function fieldsOf({ code, message, fields }: CallError): Record<string, string> {
  return String(code) === "WEAK_PASSWORD" ? { password: message } : fields;
}
