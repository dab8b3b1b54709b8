import { complaintTerms } from "#contract/complaint-terms.ts";
import { complain, complaintReasons, newComplaint } from "#contract/complaints.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { reasonNames } from "./complaint-words.ts";

const schema = newComplaint.omit({ bookingId: true });
const options = complaintReasons.map((value) => ({ value, label: reasonNames[value] }));

/** For the buyer of a laptop that was handed over. */
export function ComplaintForm({ bookingId }: { bookingId: string }) {
  const form = useZodForm(schema, { reason: "not_as_described", words: "" });
  const send = useCall(complain, { onError: (error) => showFormError(form, error) });
  return (
    <form
      onSubmit={form.handleSubmit((values) => send.mutate({ body: { bookingId, ...values } }))}
      noValidate
      className="flex flex-col gap-2"
    >
      <p>
        Tell us what is wrong with the laptop. We keep your money until it's settled. The seller
        reads this and answers within {complaintTerms.answerHours} hours; if you can't agree, one of
        our admins decides within {complaintTerms.decisionDays} days. If nobody has decided{" "}
        {complaintTerms.undecidedDays} days from now, you get all of your money back.
      </p>
      <FormField form={form} name="reason" label="What is wrong?" as="select" options={options} />
      <FormField form={form} name="words" label="Describe it" as="textarea" />
      <FormMessage message={form.formState.errors.root?.message} />
      <Button type="submit" size="large" busy={send.isPending}>
        Send
      </Button>
    </form>
  );
}
