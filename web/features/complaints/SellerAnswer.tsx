import { answerComplaint, type Complaint, complaintAnswerForm } from "#contract/complaints.ts";
import { currencySign } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { PhotoAttachments } from "#web/domain/photos/PhotoAttachments.tsx";
import { useAttachments } from "#web/domain/photos/use-attachments.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";

const options = [
  { value: "offer", label: "Refund a part; the buyer keeps it" },
  { value: "refund", label: "Refund all of it once I have the laptop back" },
  { value: "disagree", label: "I disagree" },
];

export function SellerAnswer({ complaint: { _id: id } }: { complaint: Complaint }) {
  const draft = { name: `complaint answer ${id}`, fields: ["answer", "offer", "words"] } as const;
  const form = useFormWithDraft(
    { defaultValues: { answer: "offer", offer: "", words: "" } },
    draft,
  );
  const send = useCall(answerComplaint, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      clearDraft(draft.name);
      toast.success("Your answer is sent to the buyer.");
    },
  });
  const photos = useAttachments();
  const answer = form.watch("answer");
  const submit = form.handleSubmit(({ offer, ...values }) => {
    if (!photos.areSent()) return;
    const body = {
      ...values,
      photos: photos.ids,
      ...(values.answer === "offer" && { offer: Number(offer) }),
    };
    const parsed = complaintAnswerForm.safeParse(body);
    if (parsed.success) return send.mutate({ params: { id }, body: parsed.data });
    for (const { path, message } of parsed.error.issues)
      form.setError(path[0] as "answer" | "offer" | "words", { message });
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      <h2 className="text-heading">Your answer</h2>
      <FormField
        form={form}
        name="answer"
        label="What do you suggest?"
        as="select"
        options={options}
      />
      {answer === "offer" && (
        <FormField
          form={form}
          name="offer"
          label={`How much? (${currencySign()})`}
          inputMode="decimal"
        />
      )}
      <FormField form={form} name="words" label="Say why" as="textarea" />
      <div className="mb-4">
        <PhotoAttachments photos={photos} />
      </div>
      <FormMessage message={form.formState.errors.root?.message} />
      <Button type="submit" size="large" busy={send.isPending || photos.isSending}>
        Send answer
      </Button>
    </form>
  );
}
