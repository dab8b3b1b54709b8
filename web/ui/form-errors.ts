import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { CallError } from "#contract/client.ts";

/**
 * Shows a refusal where it belongs: what it says of fields at those fields, the first of them focused; all
 * else as the form's own message, `errors.root`. `names` tells a field's name on the wire where the form has
 * another for it.
 */
export function showFormError<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  error: Error,
  names: Record<string, string> = {},
): void {
  if (!showFieldErrors(form, error, names)) form.setError("root", { message: error.message });
}

/** Shows what a refusal says of the form's fields; answers whether it says anything of them. */
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

/** The identity service names no fields; this refusal of it is about one. */
function fieldsOf({ code, message, fields }: CallError): Record<string, string> {
  return String(code) === "WEAK_PASSWORD" ? { password: message } : fields;
}
