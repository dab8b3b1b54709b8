import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { Call, Request } from "#contract/call.ts";
import { Dialog } from "#web/ui/Dialog.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { DialogSubmit, Form, FormField } from "#web/ui/Form.tsx";
import { showFormError, useFormWithDraft } from "#web/ui/use-zod-form.ts";
import { type CallOptions, useCall } from "./api.ts";

type FormCallOptions<C extends Call> = Pick<CallOptions<C>, "success" | "onSuccess"> & {
  /** The name of the form's draft, which is deleted after success. */
  draft?: string;
  /** Wire names to form names where they differ. */
  names?: Record<string, string>;
};

/** A call that a form sends. The form shows its errors. */
export function useFormCall<C extends Call, I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  call: C,
  { draft, names, success, onSuccess }: FormCallOptions<C> = {},
) {
  return useCall(call, {
    success,
    onError: (error) => showFormError(form, error, names),
    onSuccess: (answer, request) => {
      if (draft) clearDraft(draft);
      onSuccess?.(answer, request);
    },
  });
}

type TextDialogProps<C extends Call> = {
  title: string;
  label: string;
  hint: ReactNode;
  call: C;
  /** The text's wire name. */
  field: string;
  text?: string;
  request: (text: string) => Request<C>;
  success?: string;
  onClose: () => void;
};

/** A dialog that asks for a text and sends it. */
export function TextDialog<C extends Call>(props: TextDialogProps<C>) {
  const { title, label, hint, call, field, text = "", request, success, onClose } = props;
  const form = useFormWithDraft({ defaultValues: { text } });
  const send = useFormCall(form, call, { names: { [field]: "text" }, success, onSuccess: onClose });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} onSubmit={(values) => send.mutate(request(values.text))}>
        <FormField form={form} name="text" label={label} hint={hint} as="textarea" />
        <DialogSubmit form={form} busy={send.isPending} />
      </Form>
    </Dialog>
  );
}
