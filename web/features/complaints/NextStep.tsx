import { useState } from "react";
import type { z } from "zod";
import {
  answerComplaint,
  type Complaint,
  closeComplaint,
  complaintAnswerForm,
  complaintDecisionForm,
  decideComplaint,
} from "#contract/complaints.ts";
import { currencySign, formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { StaffOnly } from "#web/auth/StaffOnly.tsx";
import { PhotoAttachments, useAttachments } from "#web/domain/photos/PhotoAttachments.tsx";
import { ConfirmButton, ConfirmDialog } from "#web/ui/ConfirmButton.tsx";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";
import { decisionEffect } from "./complaint-words.ts";

/** Whether the complaint is undecided, or the refund is waiting for the laptop's return. */
export function isOpen({ decision }: Complaint): boolean {
  return decision === null || decision.returnBy !== null;
}

export function NextStep({ complaint }: { complaint: Complaint }) {
  const { role, answer, decision } = complaint;
  if (role === "admin")
    return (
      <StaffOnly access="support" to="decide this complaint">
        <AdminDecision complaint={complaint} />
      </StaffOnly>
    );
  if (decision) return null;
  if (role === "buyer") return <BuyerChoice complaint={complaint} />;
  return answer?.answer === "disagree" ? null : <SellerAnswer complaint={complaint} />;
}

function BuyerChoice({ complaint }: { complaint: Complaint }) {
  const { _id: id, answer, price } = complaint;
  const close = useCall(closeComplaint, { onSuccess: () => toast.success("Settled.") });
  const choose = (agree: "offer" | "withdraw", done: () => void) => {
    const body = { agree, offer: answer?.offer ?? null };
    close.mutate({ params: { id }, body }, { onSettled: done });
  };
  const offer = answer?.offer != null && formatPrice(answer.offer);
  return (
    <div className="flex flex-wrap gap-3">
      {offer && (
        <ConfirmButton
          look="primary"
          title={`Accept ${offer} back?`}
          message={`You keep the laptop and get ${offer} of the ${formatPrice(price)} back. The seller gets the rest, and the complaint is closed for good.`}
          confirm={`Accept ${offer}`}
          busy={close.isPending}
          onConfirm={(done) => choose("offer", done)}
        >
          Accept {offer}
        </ConfirmButton>
      )}
      <ConfirmButton
        look="plain"
        title="Withdraw your complaint?"
        message={`You keep the laptop, and the seller gets all of the ${formatPrice(price)}. You can't complain about this laptop again.`}
        confirm="Withdraw"
        busy={close.isPending}
        onConfirm={(done) => choose("withdraw", done)}
      >
        Withdraw the complaint
      </ConfirmButton>
    </div>
  );
}

const answers = [
  { value: "offer", label: "Refund a part; the buyer keeps it" },
  { value: "refund", label: "Refund all of it once I have the laptop back" },
  { value: "disagree", label: "I disagree" },
];

function SellerAnswer({ complaint: { _id: id, answer: sent } }: { complaint: Complaint }) {
  const draft = { name: `complaint answer ${id}`, fields: ["answer", "offer", "words"] } as const;
  const empty = { answer: "offer", offer: "", words: "" };
  const form = useFormWithDraft({ defaultValues: empty }, draft);
  const photos = useAttachments();
  const send = useFormCall(form, answerComplaint, {
    draft: draft.name,
    success: "Your answer is sent to the buyer.",
    onSuccess: () => {
      form.reset(empty);
      photos.clear();
    },
  });
  const answer = form.watch("answer");
  const submit = ({ offer, ...values }: typeof empty) => {
    if (!photos.areSent()) return;
    const body = {
      ...values,
      photos: photos.ids,
      ...(values.answer === "offer" && { offer: offer.trim() ? Number(offer) : null }),
    };
    const parsed = complaintAnswerForm.safeParse(body);
    if (parsed.success) return send.mutate({ params: { id }, body: parsed.data });
    for (const { path, message } of parsed.error.issues)
      form.setError(path[0] as "answer" | "offer" | "words", { message });
  };
  return (
    <Form form={form} onSubmit={submit}>
      <h2 className="text-heading">{sent ? "Change your answer" : "Your answer"}</h2>
      {sent?.offer && <p>This replaces your offer of {formatPrice(sent.offer)}.</p>}
      <FormField
        form={form}
        name="answer"
        label="What do you suggest?"
        as="select"
        options={answers}
        disabled={send.isPending}
      />
      {answer === "offer" && (
        <FormField
          form={form}
          name="offer"
          label={`How much? (${currencySign()})`}
          inputMode="decimal"
          readOnly={send.isPending}
        />
      )}
      <FormField form={form} name="words" label="Say why" as="textarea" readOnly={send.isPending} />
      <fieldset className="mb-4" disabled={send.isPending}>
        <PhotoAttachments photos={photos} />
      </fieldset>
      <FormSubmit form={form} busy={send.isPending || photos.isSending}>
        Send answer
      </FormSubmit>
    </Form>
  );
}

const times = [
  { value: "returned", label: "Refund when the laptop is back" },
  { value: "atOnce", label: "Refund at once" },
];

type Decision = z.output<typeof complaintDecisionForm>;

function AdminDecision({ complaint }: { complaint: Complaint }) {
  const { _id: id, price, reason, decision } = complaint;
  const draft = { name: `complaint decision ${id}`, fields: ["refund", "when", "words"] } as const;
  const defaultValues = { refund: "", when: "returned", words: "" };
  const form = useFormWithDraft({ defaultValues }, draft);
  const [asked, setAsked] = useState<Decision | null>(null);
  const close = () => setAsked(null);
  const send = useFormCall(form, decideComplaint, {
    draft: draft.name,
    success: "Decided. Buyer and seller are told by email.",
    onSuccess: () => form.reset(defaultValues),
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
