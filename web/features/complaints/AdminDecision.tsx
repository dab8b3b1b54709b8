import { useState } from "react";
import type { z } from "zod";
import { type Complaint, complaintDecisionForm, decideComplaint } from "#contract/complaints.ts";
import { currencySign, formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { ConfirmDialog } from "#web/ui/ConfirmButton.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useFormWithDraft } from "#web/ui/use-zod-form.ts";
import { decisionEffect } from "./complaint-words.ts";

const times = [
  { value: "returned", label: "Refund when the laptop is back" },
  { value: "atOnce", label: "Refund at once" },
];

type Decision = z.output<typeof complaintDecisionForm>;

export function AdminDecision({ complaint }: { complaint: Complaint }) {
  const { _id: id, price, reason, decision } = complaint;
  const draft = { name: `complaint decision ${id}`, fields: ["refund", "when", "words"] } as const;
  const defaultValues = { refund: "", when: "returned", words: "" };
  const form = useFormWithDraft({ defaultValues }, draft);
  const [asked, setAsked] = useState<Decision | null>(null);
  const close = () => setAsked(null);
  const send = useCall(decideComplaint, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      form.reset(defaultValues);
      clearDraft(draft.name);
      toast.success("Decided. Buyer and seller are told by email.");
    },
  });
  const submit = ({ refund, when, words }: typeof defaultValues) => {
    const amount = refund.trim() === "" ? Number.NaN : Number(refund);
    const atOnce = when === "atOnce";
    const parsed = complaintDecisionForm.safeParse({ refund: amount, words, atOnce });
    if (amount > price)
      return form.setError("refund", { message: `Enter at most ${formatPrice(price)}.` });
    if (parsed.success) return setAsked(parsed.data);
    for (const { path, message } of parsed.error.issues)
      form.setError(path[0] as "refund" | "words", { message });
  };
  return (
    <>
      <Form form={form} onSubmit={submit}>
        <h2 className="text-heading">{decision ? "Change the decision" : "Decide"}</h2>
        <FormField
          form={form}
          name="refund"
          label={`Refund to the buyer (${currencySign()})`}
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
        <FormSubmit form={form}>Decide</FormSubmit>
      </Form>
      {asked && (
        <ConfirmDialog
          title="Decide this complaint?"
          message={decisionEffect(complaint, asked)}
          confirm="Decide"
          look="primary"
          busy={send.isPending}
          onConfirm={() => send.mutate({ params: { id }, body: asked }, { onSettled: close })}
          onCancel={close}
        />
      )}
    </>
  );
}
