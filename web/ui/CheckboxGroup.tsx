import type { FieldValues, Path, UseFormRegister } from "react-hook-form";

type CheckboxGroupProps<V extends FieldValues> = {
  form: { register: UseFormRegister<V> };
  name: Path<V>;
  label: string;
  options: readonly string[];
};

/** The field's value is the list of checked options. */
export function CheckboxGroup<V extends FieldValues>({
  form,
  name,
  label,
  options,
}: CheckboxGroupProps<V>) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="flex flex-wrap gap-x-6">
        {options.map((option) => (
          <label key={option} className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              value={option}
              className="size-4.5 accent-primary"
              {...form.register(name)}
            />
            {option}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
