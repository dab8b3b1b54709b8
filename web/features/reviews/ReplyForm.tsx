import { useState } from "react";
import { maxReplyLength, replyToReview } from "#contract/reviews.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { Dialog, DialogSubmit } from "#web/ui/Dialog.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";

export function ReplyForm({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const form = useFormWithDraft({ defaultValues: { text: "" } });
  const reply = useCall(replyToReview, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => setOpen(false),
  });
  const submit = form.handleSubmit((body) => reply.mutate({ params: { id }, body }));
  return (
    <>
      <Button look="plain" size="small" onClick={() => setOpen(true)}>
        Reply
      </Button>
      {isOpen && (
        <Dialog title="Reply to this review" onClose={() => setOpen(false)}>
          <form onSubmit={submit} noValidate className="flex flex-col gap-2">
            <FormField
              form={form}
              name="text"
              label="Your reply"
              as="textarea"
              maxLength={maxReplyLength}
              hint="Everyone can read it. You can reply once, and can't change it later."
            />
            <FormMessage message={form.formState.errors.root?.message} />
            <DialogSubmit busy={reply.isPending} />
          </form>
        </Dialog>
      )}
    </>
  );
}
