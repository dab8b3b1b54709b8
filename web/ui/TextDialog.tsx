import type { ComponentProps } from "react";
import type { FieldValues } from "react-hook-form";
import { Dialog, DialogSubmit } from "./Dialog.tsx";
import { Form, FormField, FormMessage } from "./Form.tsx";

type TextDialogProps<V extends FieldValues> = Pick<
  ComponentProps<typeof Form<V, V>>,
  "form" | "onSubmit"
> &
  Pick<ComponentProps<typeof FormField<V>>, "name" | "label" | "hint"> & {
    title: string;
    maxLength?: number;
    busy: boolean;
    onClose: () => void;
  };

export function TextDialog<V extends FieldValues>({
  title,
  busy,
  onSubmit,
  onClose,
  ...field
}: TextDialogProps<V>) {
  const { form } = field;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} onSubmit={onSubmit}>
        <FormField {...field} as="textarea" />
        <FormMessage message={form.formState.errors.root?.message} />
        <DialogSubmit busy={busy} />
      </Form>
    </Dialog>
  );
}
