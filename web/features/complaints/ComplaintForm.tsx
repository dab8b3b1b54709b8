import { complain, complaintReasons, newComplaint } from "#contract/complaints.ts";
import { complaintTerms } from "#contract/deal-texts.ts";
import { useCall } from "#web/api/api.ts";
import { PhotoAttachments } from "#web/domain/photos/PhotoAttachments.tsx";
import { useAttachments } from "#web/domain/photos/use-attachments.ts";
import { clearDraft } from "#web/ui/drafts.ts";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";
import { reasonNames } from "./complaint-words.ts";

const schema = newComplaint.omit({ bookingId: true, photos: true });
const options = complaintReasons.map((value) => ({ value, label: reasonNames[value] }));

/** `until` is the deadline. */
export function ComplaintForm({ bookingId, until }: { bookingId: string; until: string }) {
  const draft = { name: `complaint ${bookingId}`, fields: ["reason", "words"] } as const;
  const form = useZodForm(schema, { reason: "not_as_described", words: "" }, draft);
  const photos = useAttachments();
  const send = useCall(complain, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      clearDraft(draft.name);
      toast.success("Sent to the seller. We keep your money until it's settled.");
    },
  });
  return (
    <Form
      form={form}
      onSubmit={(values) => {
        if (!photos.areSent()) return;
        send.mutate({ body: { bookingId, ...values, photos: photos.ids } });
      }}
    >
      <p className="mb-4">
        Tell us what is wrong with the laptop, by {formatDateTime(until)} at the latest. We keep
        your money until it's settled. The seller reads this and answers within{" "}
        {complaintTerms.answerHours} hours; if you can't agree, one of our admins decides within{" "}
        {complaintTerms.decisionDays} days. If nobody has decided {complaintTerms.undecidedDays}{" "}
        days from now, you get all of your money back once the seller has the laptop.
      </p>
      <FormField form={form} name="reason" label="What is wrong?" as="select" options={options} />
      <FormField form={form} name="words" label="Describe it" as="textarea" />
      <div className="mb-4">
        <p className="mb-1.5 font-medium text-sm">Photos</p>
        <p className="mb-2 text-muted text-sm">
          Show what is wrong. Only you, the seller and our admins see them.
        </p>
        <PhotoAttachments photos={photos} />
      </div>
      <FormSubmit form={form} busy={send.isPending || photos.isSending}>
        Send
      </FormSubmit>
    </Form>
  );
}
