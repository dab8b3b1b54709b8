import type { Call, Request } from "#contract/call.ts";
import { useCall } from "#web/api/api.ts";
import { Dialog, DialogSubmit } from "#web/ui/Dialog.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";

type Fields = Record<string, string>;

export type TextDialogProps<C extends Call> = {
  call: C;
  request: (text: string) => Request<NoInfer<C>>;
  title: string;
  /** The text's name in the request. */
  name: string;
  label: string;
  hint: string;
  initial?: string;
  /** Shown as a toast. */
  success?: string;
  onClose: () => void;
};

/** Asks for a text and sends it with a call. */
export default function TextDialog<C extends Call>(props: TextDialogProps<C>) {
  const { call, request, title, name, initial = "", success, onClose, ...field } = props;
  const form = useFormWithDraft<Fields>({ defaultValues: { [name]: initial } });
  const send = useCall(call, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      if (success !== undefined) toast.success(success);
      onClose();
    },
  });
  const submit = form.handleSubmit(({ [name]: text = "" }) => send.mutate(request(text)));
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-2">
        <FormField<Fields> {...field} form={form} name={name} as="textarea" />
        <FormMessage message={form.formState.errors.root?.message} />
        <DialogSubmit busy={send.isPending} />
      </form>
    </Dialog>
  );
}
