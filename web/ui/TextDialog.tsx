import type { ComponentProps, FormEvent } from "react";
import type { FieldValues } from "react-hook-form";
import { Dialog, DialogSubmit } from "./Dialog.tsx";
import { FormField, FormMessage } from "./Form.tsx";

type TextDialogProps<V extends FieldValues> = Pick<
  ComponentProps<typeof FormField<V>>,
  "form" | "name" | "label" | "hint"
> & {
  title: string;
  maxLength?: number;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
  onClose: () => void;
};

export function TextDialog<V extends FieldValues>({
  title,
  busy,
  onSubmit,
  onClose,
  ...field
}: TextDialogProps<V>) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-2">
        <FormField {...field} as="textarea" />
        <FormMessage message={field.form.formState.errors.root?.message} />
        <DialogSubmit busy={busy} />
      </form>
    </Dialog>
  );
}
