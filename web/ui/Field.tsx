import { type ReactNode, useId } from "react";

export type ControlProps = {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
};

type FieldProps = {
  label: string;
  hint?: ReactNode;
  /** Shown at the end of the label's line, but after the control in tab order. */
  aside?: ReactNode;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
};

/** Reserves space for the message, which could otherwise move a button that is being clicked. */
export function Field({ label, hint, aside, error, children }: FieldProps) {
  const id = useId();
  const isWrong = error !== undefined;
  const about = `${id}-${isWrong ? "message" : "hint"}`;
  return (
    <div className="field">
      <label htmlFor={id} className="mb-1.5 font-medium text-sm">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-muted text-sm leading-snug">
          {hint}
        </p>
      )}
      <div className="relative row-start-3">
        {children({ id, "aria-describedby": about, "aria-invalid": isWrong })}
        <div id={`${id}-message`} aria-live="polite" className="mt-1 min-h-5 text-error text-sm">
          {error}
        </div>
      </div>
      {aside && <div className="absolute top-0 right-0 text-sm">{aside}</div>}
    </div>
  );
}

export const controlClass =
  "w-full border-line bg-base-100 text-base aria-invalid:border-error [&[readonly]]:bg-base-200 [&[readonly]]:text-muted";

type ReadOnlyFieldProps = { label: string; value: string; hint?: string };

export function ReadOnlyField({ label, value, hint }: ReadOnlyFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input {...control} className={`input ${controlClass}`} value={value} dir="auto" readOnly />
      )}
    </Field>
  );
}

/** A read-only value on one line of a dialog. */
export function FixedField({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div className="fixed-field">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <input id={id} value={value} title={value} dir="auto" readOnly />
    </div>
  );
}
