import type { ComponentProps } from "react";
import { controlClass, Field, ReadOnlyField } from "#web/ui/Field.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { GallerySection } from "./Gallery.tsx";

export function Forms() {
  return (
    <GallerySection title="Forms">
      <div className="fields grid-cols-3">
        <TextField label="Empty" placeholder="you@example.com" />
        <TextField label="With a hint" hint="At least 6 characters." />
        <TextField label="Filled in" defaultValue="Central Library, main entrance" />
        <TextField
          label="Invalid"
          defaultValue="nora"
          error="Enter an email address such as you@example.com."
        />
        <ReadOnlyField label="Read-only" value="Nora Castellanos" />
        <TextField label="Disabled" disabled defaultValue="Nora Castellanos" />
        <Field label="Select">
          {(control) => (
            <select {...control} className={`select ${controlClass}`}>
              <option>Buyer</option>
            </select>
          )}
        </Field>
        <Field label="Long text">
          {(control) => <textarea {...control} rows={3} className={`textarea ${controlClass}`} />}
        </Field>
      </div>
      <FormMessage message="That email and password don't match. Check both and try again." />
    </GallerySection>
  );
}

type TextFieldProps = ComponentProps<"input"> & { label: string; hint?: string; error?: string };

function TextField({ label, hint, error, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...control} {...rest} className={`input ${controlClass}`} />}
    </Field>
  );
}
