import { type Complaint, complaintDecisionForm, decideComplaint } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";

const times = [
  { value: "returned", label: "Refund when the laptop is back" },
  { value: "atOnce", label: "Refund at once" },
];

/** The admin's form to refund all, part or none of the money. */
export function AdminDecision({ complaint }: { complaint: Complaint }) {
  const { _id: id, price, reason, decision } = complaint;
  const draft = { name: `complaint decision ${id}`, fields: ["refund", "when", "words"] } as const;
  const defaultValues = { refund: "", when: "returned", words: "" };
  const form = useFormWithDraft({ defaultValues }, draft);
  const send = useCall(decideComplaint, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      form.reset(defaultValues);
      clearDraft(draft.name);
      toast.success("Decided. Buyer and seller are told by email.");
    },
  });
  const submit = form.handleSubmit(({ refund, when, words }) => {
    const amount = refund.trim() === "" ? Number.NaN : Number(refund);
    const atOnce = when === "atOnce";
    const parsed = complaintDecisionForm.safeParse({ refund: amount, words, atOnce });
    if (parsed.success) return send.mutate({ params: { id }, body: parsed.data });
    for (const { path, message } of parsed.error.issues)
      form.setError(path[0] as "refund" | "words", { message });
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      <h2 className="text-heading">{decision ? "Change the decision" : "Decide"}</h2>
      <FormField
        form={form}
        name="refund"
        label="Refund to the buyer, in dollars"
        inputMode="decimal"
        hint={`From 0 to ${formatPrice(price)}. The seller gets the rest.`}
      />
      {reason !== "not_received" && (
        <FormField
          form={form}
          name="when"
          label="If all of it goes back"
          as="select"
          options={times}
        />
      )}
      <FormField
        form={form}
        name="words"
        label="Say why"
        as="textarea"
        hint="Buyer and seller read this."
      />
      <FormMessage message={form.formState.errors.root?.message} />
      <Button type="submit" size="large" busy={send.isPending}>
        Decide
      </Button>
    </form>
  );
}
