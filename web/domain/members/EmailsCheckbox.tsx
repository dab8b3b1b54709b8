type EmailsCheckboxProps = {
  /** Whether these emails are on; undefined until loaded. */
  emails: boolean | undefined;
  onChange: (emails: boolean) => void;
  label: string;
};

export function EmailsCheckbox({ emails, onChange, label }: EmailsCheckboxProps) {
  return (
    <label className="flex min-h-11 items-center gap-2">
      <input
        type="checkbox"
        className="size-4.5 accent-primary"
        checked={emails ?? true}
        disabled={emails === undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
