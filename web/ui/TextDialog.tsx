import type { ComponentProps } from "react";
import type { FieldValues } from "react-hook-form";
import { Dialog } from "./Dialog.tsx";
import { DialogSubmit, Form, FormField } from "./Form.tsx";

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
        <DialogSubmit form={form} busy={busy} />
      </Form>
    </Dialog>
  );
}
